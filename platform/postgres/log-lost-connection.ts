/**
 * Logs that an idle connection was lost. Logs message and code only: pg attaches the connection to the error, with the
 * key that cancels its queries.
 */
export function logLostConnection(
  log: { warn(details: object, text: string): void },
  pool: string,
  { message, code }: Error & { code?: unknown },
): void {
  log.warn({ pool, code, reason: message }, 'connection lost');
}
