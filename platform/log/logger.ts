/** Logs JSON lines, or lines for people on a terminal, to standard error, without tokens, bodies or query strings. */
import pino from 'pino';
import { parseLogLine, textOf } from './log-entry.ts';
import { createPipeOutput, isPipe } from './pipe-output.ts';
import { redact } from './redact.ts';

export type Logger = pino.Logger;

/** The settings of a log. */
interface LogSettings {
  logLevel: string;
  /** `auto` is `pretty` on a terminal, otherwise `json`. */
  logFormat: 'auto' | 'json' | 'pretty';
}

/** Members whose values pino hides. */
const HIDDEN_NAMES = ['password', 'token', 'apikey', 'authorization', 'cookie'];

/**
 * Creates the process's logger. Lines are written asynchronously; call `flush` before the process ends.
 * @param destination stream to write to instead of standard error
 */
export function createLogger(level: string, destination?: pino.DestinationStream): Logger {
  const options = {
    level,
    redact: { paths: [...HIDDEN_NAMES, ...HIDDEN_NAMES.map((name) => `*.${name}`)], censor: '(hidden)' },
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    hooks: { streamWrite: redact },
  };
  return pino(options, destination ?? standardError());
}

function standardError(): pino.DestinationStream {
  return isPipe() ? createPipeOutput(droppedLine) : pino.destination({ dest: 2, sync: false });
}

/** Creates the process's logger in the format of its settings. */
export function openLog({ logLevel, logFormat }: LogSettings): Logger {
  const isPretty = logFormat === 'pretty' || (logFormat === 'auto' && process.stderr.isTTY);
  return createLogger(logLevel, isPretty ? prettyOutput() : undefined);
}

function prettyOutput(): pino.DestinationStream {
  const output = isPipe() ? createPipeOutput((lines) => prettyLine(droppedLine(lines))) : process.stderr;
  return { write: (line) => void output.write(prettyLine(line)) };
}

function prettyLine(line: string): string {
  return `${textOf(parseLogLine(line.trimEnd()))}\n`;
}

/** Returns the line after a gap, in the format of Pino. */
function droppedLine(lines: number): string {
  const msg = 'lines of the log were dropped, because the output was not read';
  return `${JSON.stringify({ level: 40, time: new Date().toISOString(), lines, msg })}\n`;
}
