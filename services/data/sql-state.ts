/** Errors of PostgreSQL and their HTTP statuses. */

/** The properties of pg's DatabaseError, without a dependency on pg. `code` is the SQLSTATE. */
export interface SqlError extends Error {
  code: string;
  detail?: string | undefined;
  hint?: string | undefined;
}

const SQLSTATE = /^[0-9A-Z]{5}$/;

/** Whether PostgreSQL itself reported the error. Returns false for a lost connection. */
export function isSqlError(error: unknown): error is SqlError {
  return (
    error instanceof Error && 'severity' in error && 'code' in error && SQLSTATE.test(String(error.code))
  );
}

/** Statuses of individual states; some depend on the message. They take precedence over the class. */
const STATUS_OF_STATE: Readonly<Record<string, number | ((message: string) => number)>> = {
  // The extension safeupdate uses this state, too, for a missing WHERE clause.
  '21000': (message) => (message.endsWith('requires a WHERE clause') ? 400 : 500),
  // The role in the token does not exist.
  '22023': (message) => (/^role .* does not exist$/s.test(message) ? 401 : 400),
  '23503': 409,
  '23505': 409,
  '25006': 405,
  // PostgreSQL was built without libxml, so it cannot produce XML.
  '42883': (message) => (message.startsWith('function xmlagg(') ? 406 : 404),
  '42P01': 404,
  '42P17': 500,
  '53400': 500,
  '57P01': 503,
  P0001: 400,
};

/** Statuses of classes: the first two characters of the state. A state in neither table is a client error (400). */
const STATUS_OF_CLASS: Readonly<Record<string, number>> = {
  '08': 503,
  '09': 500,
  '0L': 403,
  '0P': 403,
  '25': 500,
  '28': 403,
  '2D': 500,
  '38': 500,
  '39': 500,
  '3B': 500,
  '40': 500,
  '53': 503,
  '54': 500,
  '55': 500,
  '57': 500,
  '58': 500,
  F0: 500,
  HV: 500,
  P0: 500,
  XX: 500,
};

const INSUFFICIENT_PRIVILEGE = '42501';

/**
 * Returns the HTTP status of an error of PostgreSQL. Supports states that functions raise to set a status (`PT404`). The
 * caller handles the state `PGRST`, see {@link ./raised-response.ts}.
 * @param isAnonymous whether the statement ran as the anonymous role: a missing privilege is then 401, because signing in
 *   may help
 */
export function statusOfSqlError({ code, message }: SqlError, isAnonymous: boolean): number {
  if (code === INSUFFICIENT_PRIVILEGE) return isAnonymous ? 401 : 403;
  if (code.startsWith('PT')) return raisedStatus(code) ?? 500;
  const ofState = STATUS_OF_STATE[code];
  if (typeof ofState === 'function') return ofState(message);
  return ofState ?? STATUS_OF_CLASS[code.slice(0, 2)] ?? 400;
}

/** Returns the status in `PTnnn`, which functions raise to set it. Undefined if it is not a final HTTP status. */
export function raisedStatus(code: string): number | undefined {
  const digits = /^PT([2-5]\d\d)$/.exec(code)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
