/**
 * Writes the log to a pipe or socket without waiting for its reader. If the reader stops reading, memory does not grow, and the
 * process can end.
 */
import { fstatSync, writeSync } from 'node:fs';

/** Text that is kept while the reader does not read; further lines are dropped. */
const MAX_KEPT_LENGTH = 4 * 1024 * 1024;
const RETRY_MS = 50;
/** How long the end of the process waits for a reader. */
const EXIT_WAIT_MS = 1000;
const EXIT_RETRY_MS = 10;
/** The pipe is full. */
const FULL = 'EAGAIN';

/** A destination of Pino. */
interface PipeOutput {
  write(line: string): void;
  /** Writes as much as the pipe takes. */
  flush(callback?: () => void): void;
}

const STANDARD_ERROR = 2;
/** Outputs that write when the process ends. */
const open = new Set<() => boolean>();

/** Whether standard error is a pipe or a socket. On Windows, writes to both wait for the reader in any case. */
export function isPipe(): boolean {
  if (process.platform === 'win32') return false;
  const stats = fstatSync(STANDARD_ERROR);
  return stats.isFIFO() || stats.isSocket();
}

/**
 * Creates the output to standard error. Lines of one turn of the event loop share a write.
 * @param noticeOf returns the line that reports a number of dropped lines
 */
export function createPipeOutput(noticeOf: (dropped: number) => string): PipeOutput {
  let lines: string[] = [];
  let length = 0;
  let dropped = 0;
  /** The rest of a write. */
  let rest = Buffer.alloc(0);
  let isScheduled = false;

  function write(line: string): void {
    if (!open.has(writeAll)) openOutput(writeAll);
    if (length + line.length > MAX_KEPT_LENGTH) {
      dropped += 1;
      return;
    }
    add(line);
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(flushSoon);
  }

  function add(line: string): void {
    lines.push(line);
    length += line.length;
  }

  function flushSoon(): void {
    isScheduled = !writeAll();
    if (isScheduled) setTimeout(flushSoon, RETRY_MS).unref();
  }

  /** Returns false if the pipe is full. */
  function writeAll(): boolean {
    while (rest.length > 0 || lines.length > 0) {
      if (rest.length === 0) takeLines();
      if (!writeRest()) return false;
    }
    return true;
  }

  function takeLines(): void {
    if (dropped > 0) add(noticeOf(dropped));
    dropped = 0;
    rest = Buffer.from(lines.join(''));
    lines = [];
    length = 0;
  }

  function writeRest(): boolean {
    try {
      rest = rest.subarray(writeSync(STANDARD_ERROR, rest));
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === FULL) return false;
      // The reader has closed the pipe.
      rest = Buffer.alloc(0);
      return true;
    }
  }

  return {
    write,
    flush(callback) {
      writeAll();
      callback?.();
    },
  };
}

/** @param writeAll writes everything that the pipe takes, and returns false if it is full */
function openOutput(writeAll: () => boolean): void {
  // The stream of Node.js makes writes to the pipe non-blocking.
  process.stderr.listenerCount('error');
  if (open.size === 0) process.on('exit', writeAtExit);
  open.add(writeAll);
}

function writeAtExit(): void {
  const end = performance.now() + EXIT_WAIT_MS;
  for (const writeAll of open) while (!writeAll() && performance.now() < end) pause(EXIT_RETRY_MS);
}

function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
