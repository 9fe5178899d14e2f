/** Compares secrets in constant time. */
import { createHash, timingSafeEqual } from 'node:crypto';

/** Returns whether both texts are equal. Hashing first hides their lengths as well. */
export function secretsEqual(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
