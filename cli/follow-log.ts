/** Prints the lines that another process appends to its log. */
import { closeSync, openSync, readSync } from 'node:fs';

const POLL_MS = 100;
const CHUNK_BYTES = 65_536;

/** A log that is being followed. */
interface FollowedLog {
  /** Prints the remaining lines. */
  end(): void;
}

/**
 * Prints the lines of a file from its beginning as they are written: errors, and everything after the first, on standard
 * error. Skips the JSON lines of the logger.
 */
export function followLog(path: string): FollowedLog {
  const file = openSync(path, 'r');
  const buffer = Buffer.alloc(CHUNK_BYTES);
  const decoder = new TextDecoder();
  let position = 0;
  let partial = '';
  let hasFailed = false;

  function print(line: string): void {
    if (line.startsWith('{')) return;
    hasFailed ||= line.startsWith('error: ');
    (hasFailed ? process.stderr : process.stdout).write(`${line}\n`);
  }

  function printNew(): void {
    for (;;) {
      const length = readSync(file, buffer, 0, CHUNK_BYTES, position);
      if (length === 0) return;
      position += length;
      const lines = (partial + decoder.decode(buffer.subarray(0, length), { stream: true })).split('\n');
      partial = lines.pop() ?? '';
      lines.forEach(print);
    }
  }

  const timer = setInterval(printNew, POLL_MS);
  return {
    end() {
      clearInterval(timer);
      printNew();
      if (partial !== '') print(partial);
      closeSync(file);
    },
  };
}
