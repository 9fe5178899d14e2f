/** Compares secrets in constant time. */
import { hash, timingSafeEqual } from 'node:crypto';

/** Returns whether both texts are equal. Hashing first hides their lengths as well. */
export function secretsEqual(one: string, other: string): boolean {
  const digest = (text: string) => hash('sha256', text, 'buffer');
  return timingSafeEqual(digest(one), digest(other));
}
