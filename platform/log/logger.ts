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

/** A further destination of lines, such as the log that an instance keeps. */
interface LogCopy {
  write(line: string): void;
}

/** Minimum level of copies: it includes a line for each request. */
const COPIED_LEVEL = 'info';

/**
 * Creates the process's logger in the format of its settings.
 * @param copy also receives lines of the level `info` that the settings hide
 */
export function openLog({ logLevel, logFormat }: LogSettings, copy?: LogCopy): Logger {
  const isPretty = logFormat === 'pretty' || (logFormat === 'auto' && process.stderr.isTTY);
  const output = isPretty ? prettyOutput() : undefined;
  if (copy === undefined) return createLogger(logLevel, output);
  const minLevel = levelNumber(logLevel);
  const level = minLevel > levelNumber(COPIED_LEVEL) ? COPIED_LEVEL : logLevel;
  return createLogger(level, splitOutput(output ?? standardError(), copy, minLevel));
}

/** `silent` is higher than all levels. */
function levelNumber(level: string): number {
  return pino.levels.values[level] ?? Number.POSITIVE_INFINITY;
}

/** A member with this name makes pino set `lastLevel` before each line. */
const NEEDS_LEVEL = Symbol.for('pino.metadata');

/** Writes lines to both, but hides those below the minimum level from the first. */
function splitOutput(
  output: pino.DestinationStream,
  copy: LogCopy,
  minLevel: number,
): pino.DestinationStream {
  const { flush } = output as { flush?: (callback?: () => void) => void };
  return {
    [NEEDS_LEVEL]: true,
    lastLevel: 0,
    write(line: string) {
      copy.write(line);
      if (this.lastLevel >= minLevel) output.write(line);
    },
    flush: (callback?: () => void) => (flush ? flush.call(output, callback) : callback?.()),
  } as pino.DestinationStream & { lastLevel: number };
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
