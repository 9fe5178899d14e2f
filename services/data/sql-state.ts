/** Errors of PostgreSQL: what they say, and which HTTP status that is. */

/** What pg's DatabaseError has, without depending on pg. `code` is the SQLSTATE. */
export interface SqlError extends Error {
  code: string;
  detail?: string | undefined;
  hint?: string | undefined;
}

const SQLSTATE = /^[0-9A-Z]{5}$/;

/** Whether PostgreSQL itself reported the error; a lost connection is none. */
export function isSqlError(error: unknown): error is SqlError {
  return (
    error instanceof Error && 'severity' in error && 'code' in error && SQLSTATE.test(String(error.code))
  );
}

/** Statuses of single states, and of those whose message decides. They win over their class. */
const STATUS_OF_STATE: Readonly<Record<string, number | ((message: string) => number)>> = {
  // Not only what a query does wrong: the extension safeupdate says with it that a WHERE clause is missing.
  '21000': (message) => (message.endsWith('requires a WHERE clause') ? 400 : 500),
  // The role of a token is not there.
  '22023': (message) => (/^role .* does not exist$/s.test(message) ? 401 : 400),
  '23503': 409,
  '23505': 409,
  '25006': 405,
  // XML output of a PostgreSQL that was built without libxml.
  '42883': (message) => (message.startsWith('function xmlagg(') ? 406 : 404),
  '42P01': 404,
  '42P17': 500,
  '53400': 500,
  '57P01': 503,
  P0001: 400,
};

/** Statuses of whole classes: the first two characters. What is in neither list is the client's fault. */
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
 * The HTTP status of an error of PostgreSQL. States that people raise themselves to say a status (`PT404`) count; the
 * state `PGRST` is not for here, see {@link ./raised-response.ts}.
 * @param isAnonymous whether the role that the statement ran as is the anonymous one: it may be let in by signing in
 */
export function statusOfSqlError({ code, message }: SqlError, isAnonymous: boolean): number {
  if (code === INSUFFICIENT_PRIVILEGE) return isAnonymous ? 401 : 403;
  if (code.startsWith('PT')) return raisedStatus(code) ?? 500;
  const ofState = STATUS_OF_STATE[code];
  if (typeof ofState === 'function') return ofState(message);
  return ofState ?? STATUS_OF_CLASS[code.slice(0, 2)] ?? 400;
}

/** The status in `PTnnn`, which people raise to answer with it. Undefined where it is no final status of HTTP. */
export function raisedStatus(code: string): number | undefined {
  const digits = /^PT([2-5]\d\d)$/.exec(code)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
