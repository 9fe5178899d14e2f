/** Tells errors of the connection to PostgreSQL apart from errors of a statement. */
import { isConnectError, PoolTimeoutError } from './pool.ts';

/** Codes of the operating system, e.g. ECONNREFUSED. */
const SYSTEM_ERROR = /^E[A-Z]+$/;

/** The messages of pg without a code. */
const LOST = /^Connection terminated/;

/** Classes and states of errors that PostgreSQL sends while it starts, stops or has no free connection. */
const UNAVAILABLE_STATE = /^(?:08...|57P0[1235]|53300)$/;

/** Why a statement did not reach PostgreSQL, or its result did not come back. */
export type ConnectionFailure = 'cannot connect' | 'lost' | 'none free';

/** The kind of connection failure; undefined for any other error. */
export function connectionFailure(error: unknown): ConnectionFailure | undefined {
  if (!(error instanceof Error)) return undefined;
  if (isConnectError(error)) return 'cannot connect';
  // A host with several addresses fails with one error for each.
  if (error instanceof AggregateError) return connectionFailure(error.errors[0]);
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (typeof code === 'string' && SYSTEM_ERROR.test(code)) {
    return syscall === 'connect' || syscall === 'getaddrinfo' ? 'cannot connect' : 'lost';
  }
  if (error instanceof PoolTimeoutError) return 'none free';
  return isLostConnection(error) ? 'lost' : undefined;
}

/** Whether pg reports the end of a connection during a statement. */
export function isLostConnection(error: unknown): boolean {
  return error instanceof Error && LOST.test(error.message);
}

/** Whether PostgreSQL is away, starting, stopping, or out of connections: a later attempt may succeed. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (connectionFailure(error) !== undefined) return true;
  if (!(error instanceof Error) || !('severity' in error) || !('code' in error)) return false;
  return UNAVAILABLE_STATE.test(String(error.code));
}
