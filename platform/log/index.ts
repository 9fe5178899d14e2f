/** The log of a process. */
export { createLogger, type Logger } from './logger.ts';
