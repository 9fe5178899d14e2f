/** What an error of PostgreSQL says, read from pg's DatabaseError without depending on pg. */

/** The fields that we look at. `code` is the SQLSTATE. */
export interface DatabaseError extends Error {
  code: string;
  constraint?: string;
  hint?: string;
  detail?: string;
}

const SQLSTATE = /^[0-9A-Z]{5}$/;
const UNIQUE_VIOLATION = '23505';

/** Whether PostgreSQL itself reported an error; a lost connection is none. */
export function isDatabaseError(error: unknown): error is DatabaseError {
  return (
    error instanceof Error && 'code' in error && 'severity' in error && SQLSTATE.test(String(error.code))
  );
}

/** The unique constraint that a statement would have broken, or undefined. */
export function brokenUniqueConstraint(error: unknown): string | undefined {
  return isDatabaseError(error) && error.code === UNIQUE_VIOLATION ? error.constraint : undefined;
}
