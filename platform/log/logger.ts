/** Logs JSON lines to standard error, without tokens, bodies or query strings. */
import pino from 'pino';

export type Logger = pino.Logger;

/**
 * Creates the process's logger. Lines are written asynchronously; call `flush` before the process ends.
 * @param destination stream to write to instead of standard error
 */
export function createLogger(level: string, destination?: pino.DestinationStream): Logger {
  const redact = {
    paths: ['*.password', '*.token', '*.apikey', '*.authorization', '*.cookie'],
    censor: '(hidden)',
  };
  const options = { level, redact, base: null, timestamp: pino.stdTimeFunctions.isoTime };
  return pino(options, destination ?? pino.destination({ dest: 2, sync: false }));
}
