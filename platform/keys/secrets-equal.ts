/** Comparison of secrets whose time says nothing about where they differ. */
import { createHash, timingSafeEqual } from 'node:crypto';

/** True if both texts are the same. Hashing first hides their lengths too. */
export function secretsEqual(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
