/**
 * Limits attempts at one-time codes. A code has few digits, so wrong codes are counted in its row, and after a few of
 * them the code is void. The link of the same message stays valid, so that guessing codes does not lock the owner out.
 */
import { secretsEqual } from '@greenroom/keys';

/** Number of wrong codes after which a code is void. */
export const MAX_FAILURES = 10;
/**
 * Number of wrong codes within {@link DAY_MS} after which no code of the same kind and account is accepted until the
 * day is over.
 */
const MAX_DAY_FAILURES = 100;
/** Window of {@link MAX_DAY_FAILURES} in milliseconds. */
export const DAY_MS = 86_400_000;

/** The columns of `auth.one_time_tokens` that an attempt depends on. */
export interface StoredCode {
  token_id: string;
  code_hash: string | null;
  failures: number;
  day_failures: number;
  day_began_at: Date | null;
}

/**
 * Whether a code matches the stored one; false for a void code.
 * @param hash of address and code
 */
export function isValidCode(stored: StoredCode, hash: string, now: Date): boolean {
  return stored.code_hash !== null && isOpen(stored, now) && secretsEqual(hash, stored.code_hash);
}

/** Whether attempts are left. */
export function isOpen({ failures, day_failures, day_began_at }: StoredCode, now: Date): boolean {
  const isSameDay = day_began_at !== null && now.getTime() - day_began_at.getTime() < DAY_MS;
  return failures < MAX_FAILURES && !(isSameDay && day_failures >= MAX_DAY_FAILURES);
}
