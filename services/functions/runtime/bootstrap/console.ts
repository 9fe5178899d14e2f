/** Replaces the console: each call becomes one line of the function's log, with the id of the request that made it. */
import type { AsyncLocalStorage } from 'node:async_hooks';
import { format } from 'node:util';
import { type LogLevel, send } from './messages.ts';

/** As on the hosted platform; the rest of a longer line is dropped. */
const MAX_LENGTH = 10_000;

const LEVELS: Readonly<Record<string, LogLevel>> = {
  debug: 'debug',
  log: 'info',
  info: 'info',
  dir: 'info',
  table: 'info',
  warn: 'warn',
  trace: 'warn',
  error: 'error',
};

/** Writes a line of the log. */
export type WriteLog = (level: LogLevel, text: string) => void;

/** Returns the function that writes lines, and makes the console use it. */
export function replaceConsole(currentRequest: AsyncLocalStorage<string>): WriteLog {
  const write: WriteLog = (level, text) => {
    const request = currentRequest.getStore();
    send({ type: 'log', level, text: text.slice(0, MAX_LENGTH), ...(request !== undefined && { request }) });
  };
  const methods = globalThis.console as unknown as Record<string, unknown>;
  for (const [name, level] of Object.entries(LEVELS)) {
    const log = (...values: unknown[]) => write(level, format(...values));
    methods[name] = log;
  }
  const assert = (condition: unknown, ...values: unknown[]) => {
    if (!condition) write('error', format('Assertion failed:', ...values));
  };
  methods.assert = assert;
  return write;
}
