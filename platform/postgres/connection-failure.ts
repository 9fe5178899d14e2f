/** Distinguishes errors of the connection to PostgreSQL from errors of a statement. */
import { isConnectError, PoolTimeoutError } from './pool.ts';

/** Error codes of the operating system, e.g. ECONNREFUSED. */
const SYSTEM_ERROR = /^E[A-Z]+$/;

/** Messages of pg's errors that have no code. */
const LOST = /^Connection terminated/;

/** SQLSTATE classes and codes that PostgreSQL sends while it starts, stops or has no free connection. */
const UNAVAILABLE_STATE = /^(?:08...|57P0[1235]|53300)$/;

/** Why a statement did not reach PostgreSQL, or its result did not arrive. */
export type ConnectionFailure = 'cannot connect' | 'lost' | 'none free';

/** Returns the kind of connection failure; undefined for any other error. */
export function connectionFailure(error: unknown): ConnectionFailure | undefined {
  if (!(error instanceof Error)) return undefined;
  if (isConnectError(error)) return 'cannot connect';
  // Connecting to a host with several addresses fails with one error for each.
  if (error instanceof AggregateError) return connectionFailure(error.errors[0]);
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (typeof code === 'string' && SYSTEM_ERROR.test(code)) {
    return syscall === 'connect' || syscall === 'getaddrinfo' ? 'cannot connect' : 'lost';
  }
  if (error instanceof PoolTimeoutError) return 'none free';
  return isLostConnection(error) ? 'lost' : undefined;
}

/** Whether the error is pg's report that the connection ended during a statement. */
export function isLostConnection(error: unknown): boolean {
  return error instanceof Error && LOST.test(error.message);
}

/** Whether PostgreSQL is unreachable, starting, stopping, or out of connections: a retry may succeed. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (connectionFailure(error) !== undefined) return true;
  if (!(error instanceof Error) || !('severity' in error) || !('code' in error)) return false;
  return UNAVAILABLE_STATE.test(String(error.code));
}
