/** Reads PostgreSQL errors by the fields of pg's DatabaseError, without a dependency on pg. */

/** Fields of pg's DatabaseError. `code` is the SQLSTATE. */
interface DatabaseError extends Error {
  code: string;
  constraint?: string;
  hint?: string;
  detail?: string;
}

const SQLSTATE = /^[0-9A-Z]{5}$/;
const UNIQUE_VIOLATION = '23505';

/** Whether PostgreSQL reported the error; false for a lost connection. */
export function isDatabaseError(error: unknown): error is DatabaseError {
  return (
    error instanceof Error && 'code' in error && 'severity' in error && SQLSTATE.test(String(error.code))
  );
}

/** The name of the violated unique constraint; undefined for other errors. */
export function violatedUniqueConstraint(error: unknown): string | undefined {
  return isDatabaseError(error) && error.code === UNIQUE_VIOLATION ? error.constraint : undefined;
}

/** SQLSTATEs that clients may see: exceptions of triggers, and constraint violations. */
const CLIENT_VISIBLE_SQLSTATES = new Set([
  'P0001',
  '23000',
  '23001',
  '23502',
  '23503',
  '23505',
  '23514',
  '23P01',
]);

/** The HTTP status for an SQLSTATE that clients may see; undefined for others. */
export function statusOfSqlState(code: string): number | undefined {
  if (CLIENT_VISIBLE_SQLSTATES.has(code)) return 500;
  const status = /^PT([2-5]\d\d)$/.exec(code)?.[1];
  return status === undefined ? undefined : Number(status);
}
