/** Logs: JSON lines on standard error, without tokens, bodies or query strings. */
import pino from 'pino';

/** The logger that everything uses. */
export type Logger = pino.Logger;

/**
 * Creates the process's logger. Lines are written asynchronously; `flush` before the process ends.
 * @param destination where lines go instead
 */
export function createLogger(level: string, destination?: pino.DestinationStream): Logger {
  const redact = {
    paths: ['*.password', '*.token', '*.apikey', '*.authorization', '*.cookie'],
    censor: '(hidden)',
  };
  const options = { level, redact, base: null, timestamp: pino.stdTimeFunctions.isoTime };
  return pino(options, destination ?? pino.destination({ dest: 2, sync: false }));
}
