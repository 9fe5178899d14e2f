/**
 * Attempts at codes. A code has few digits, so wrong ones are counted in its row, and it is void after a few. The link
 * of the same message goes on to work: guessing a code does not keep its owner out.
 */
import { secretsEqual } from '@greenroom/keys';

/** Wrong codes after which a code is void. */
export const MAX_FAILURES = 10;
/** Wrong codes within {@link DAY_MS} after which no code of this kind and account counts until the day is over. */
const MAX_DAY_FAILURES = 100;
/** Milliseconds of the window of {@link MAX_DAY_FAILURES}. */
export const DAY_MS = 86_400_000;

/** The columns of `auth.one_time_tokens` that decide on an attempt. */
export interface StoredCode {
  token_id: string;
  code_hash: string | null;
  failures: number;
  day_failures: number;
  day_began_at: Date | null;
}

/** Whether a code is the stored one. A void code is not compared. @param hash of address and code */
export function isRightCode(stored: StoredCode, hash: string, now: Date): boolean {
  return stored.code_hash !== null && isOpen(stored, now) && secretsEqual(hash, stored.code_hash);
}

function isOpen({ failures, day_failures, day_began_at }: StoredCode, now: Date): boolean {
  const isSameDay = day_began_at !== null && now.getTime() - day_began_at.getTime() < DAY_MS;
  return failures < MAX_FAILURES && !(isSameDay && day_failures >= MAX_DAY_FAILURES);
}
