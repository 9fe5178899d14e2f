/** Reads the output of a function's process: messages of the bootstrap, and text of the function. */
import type { Readable } from 'node:stream';
import type { LogLevel, Message } from './bootstrap/messages.ts';

/** Bytes of output per second that are read as lines; the rest is dropped, so that no function fills the log. */
const MAX_BYTES_PER_SECOND = 1024 * 1024;
const SECOND_MS = 1000;
const MAX_LINE_LENGTH = 32_768;

/** Receives the output of a process. */
export interface OutputHandlers {
  onMessage(message: Message): void;
  onLine(level: LogLevel, text: string, request?: string): void;
  /** Called within a second after output was dropped. */
  onDropped(bytes: number): void;
}

/** Reads both streams until they end. */
export function readOutput(
  { stdout, stderr }: { stdout: Readable; stderr: Readable },
  handlers: OutputHandlers,
): void {
  const budget = createBudget(handlers.onDropped);
  readLines(stdout, budget, (line) => {
    const message = asMessage(line);
    if (message === undefined) handlers.onLine('info', line);
    else if (message.type === 'log') handlers.onLine(message.level, message.text, message.request);
    else handlers.onMessage(message);
  });
  const levelOf = createErrorLevels();
  readLines(stderr, budget, (line) => {
    const level = levelOf(line);
    if (level !== undefined) handlers.onLine(level, line);
  });
}

/** Deno recommends its own server for a default export with `fetch`, which the bootstrap serves. */
const SERVE_ADVICE = /^warning: Detected .*export default \{ fetch \}.*"?deno serve"?/;
/** First line of a warning of Deno, or of `process.emitWarning`, which packages of npm call. */
const WARNING = /^(?:warning:? |\(node:\d+\) )/i;
/** Further lines of a warning: a place, or a stack. */
const WARNING_CONTINUED = /^\s/;

/** Returns a function that returns the level of a line of standard error; undefined for a line that is not logged. */
function createErrorLevels(): (line: string) => LogLevel | undefined {
  let isWarning = false;
  return (line) => {
    if (SERVE_ADVICE.test(line)) return undefined;
    isWarning = WARNING.test(line) || (isWarning && WARNING_CONTINUED.test(line));
    return isWarning ? 'warn' : 'error';
  };
}

function asMessage(line: string): Message | undefined {
  if (!line.startsWith('{"type":"')) return undefined;
  try {
    return JSON.parse(line) as Message;
  } catch {
    return undefined;
  }
}

/** Returns a function that decides whether a number of bytes may still be read in this second. */
function createBudget(onDropped: (bytes: number) => void): (bytes: number) => boolean {
  let second = 0;
  let used = 0;
  let dropped = 0;
  const report = () => {
    onDropped(dropped);
    dropped = 0;
  };
  return (bytes) => {
    const now = Math.floor(Date.now() / SECOND_MS);
    if (now !== second) {
      second = now;
      used = 0;
    }
    if (used + bytes > MAX_BYTES_PER_SECOND) {
      if (dropped === 0) setTimeout(report, SECOND_MS).unref();
      dropped += bytes;
      return false;
    }
    used += bytes;
    return true;
  };
}

/** Calls `onLine` for each line. A line that is longer than {@link MAX_LINE_LENGTH} is cut. */
function readLines(
  stream: Readable,
  accepts: (bytes: number) => boolean,
  onLine: (line: string) => void,
): void {
  let rest = '';
  stream.setEncoding('utf8');
  stream.on('data', (text: string) => {
    // Messages of the bootstrap must not be lost with dropped output: only whole lines are dropped.
    const lines = (rest + text).split('\n');
    rest = (lines.pop() ?? '').slice(0, MAX_LINE_LENGTH);
    for (const line of lines) {
      const isState = /^\{"type":"(?:ready|failed|pending)"/.test(line);
      if (line !== '' && (isState || accepts(line.length))) onLine(line.slice(0, MAX_LINE_LENGTH));
    }
  });
  stream.on('end', () => {
    if (rest !== '' && accepts(rest.length)) onLine(rest);
  });
}
