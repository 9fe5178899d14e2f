/** What is told of a connection that was lost while nobody used it. */
import type { Logger } from '@greenroom/http';

/** Not the error itself: pg hangs the connection on it, with the key that cancels its queries. */
export function logLostConnection(
  log: Logger,
  pool: string,
  { message, code }: Error & { code?: unknown },
): void {
  log.warn({ pool, code, reason: message }, 'connection lost');
}
