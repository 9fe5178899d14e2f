/** The log of a process, and the lines of a log. */
export { LOG_LEVELS, LOG_SERVICES, type LogEntry, parseLogLine, textOf } from './log-entry.ts';
export { createLogger, type Logger, openLog } from './logger.ts';
export { KEPT_MESSAGE, redact } from './redact.ts';
