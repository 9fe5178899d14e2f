/** What an error of PostgreSQL says, read from pg's DatabaseError without depending on pg. */

/** The fields that we look at. `code` is the SQLSTATE. */
interface DatabaseError extends Error {
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

/** SQLSTATEs that say something to a client: what a trigger raises, and broken constraints. */
const RAISED_BY_USERS = new Set(['P0001', '23000', '23001', '23502', '23503', '23505', '23514', '23P01']);

/** The HTTP status of what the database raises for clients; undefined where that is not for them. */
export function statusOfSqlState(code: string): number | undefined {
  if (RAISED_BY_USERS.has(code)) return 500;
  const status = /^PT([2-5]\d\d)$/.exec(code)?.[1];
  return status === undefined ? undefined : Number(status);
}
