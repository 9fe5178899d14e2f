/** Statements for recovery codes. */
import type { Statement } from '@greenroom/postgres';

/** The state of a user's codes. */
export interface RecoveryCodesRow {
  remaining: number;
  created_at: Date;
  failures: number;
  failed_at: Date | null;
}

const COLUMNS = 'cardinality(code_hashes) as remaining, created_at, failures, failed_at';

/** Returns a {@link RecoveryCodesRow} or no row. */
export function findRecoveryCodes(userId: string): Statement {
  return {
    name: 'auth_find_recovery_codes',
    text: `select ${COLUMNS} from auth.recovery_codes where user_id = $1`,
    values: [userId],
  };
}

/**
 * Returns the same row and locks it, so that concurrent attempts cannot use one code twice or exceed the limit of
 * attempts.
 */
export function lockRecoveryCodes(userId: string): Statement {
  return {
    name: 'auth_lock_recovery_codes',
    text: `select ${COLUMNS} from auth.recovery_codes where user_id = $1 for update`,
    values: [userId],
  };
}

/** Replaces the codes of a user with a verified factor. Returns a row if it did. The count of wrong codes stays. */
export function replaceRecoveryCodes(userId: string, hashes: readonly string[], now: Date): Statement {
  return {
    name: 'auth_replace_recovery_codes',
    text: `insert into auth.recovery_codes (user_id, code_hashes, created_at)
      select $1, $2, $3
      where exists (select from auth.mfa_factors where user_id = $1 and status = 'verified' for share)
      on conflict (user_id) do update set code_hashes = excluded.code_hashes, created_at = excluded.created_at
      returning user_id`,
    values: [userId, hashes, now],
  };
}

/** Consumes a code. Returns a row if the code was valid. */
export function useRecoveryCode(userId: string, hash: string): Statement {
  return {
    name: 'auth_use_recovery_code',
    text: `update auth.recovery_codes set code_hashes = array_remove(code_hashes, $2), failures = 0, failed_at = null
      where user_id = $1 and $2 = any(code_hashes) returning user_id`,
    values: [userId, hash],
  };
}

/**
 * Stores the number of wrong codes.
 * @param failures the current count, including this one
 */
export function countWrongRecoveryCode(userId: string, failures: number, now: Date): Statement {
  return {
    name: 'auth_count_wrong_recovery_code',
    text: 'update auth.recovery_codes set failures = $2, failed_at = $3 where user_id = $1',
    values: [userId, failures, now],
  };
}
