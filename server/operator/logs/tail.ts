/** Streams new lines of the log to readers. A reader that is too slow misses lines, and receives their number. */
import { createLineMatcher, type FoundLine, type LogFilter, type LogStore } from '@greenroom/log/store';
import { writtenLine } from './log-query.ts';

const MAX_READERS = 16;
/** Shows readers that the connection works, and finds those that are gone. */
const HEARTBEAT_MS = 10_000;
/** Bytes that wait for a reader. */
const MAX_WAITING_BYTES = 1024 * 1024;

/** The part of a response that a tail writes to. */
interface TailOutput {
  readonly writableLength: number;
  write(text: string): unknown;
  end(): unknown;
  once(event: 'close', listener: () => void): unknown;
}

/** The readers of the log. */
interface Tails {
  isFull(): boolean;
  /** Writes `{"ready": true}`, then matching lines as JSON until the output is closed. */
  add(output: TailOutput, filter: LogFilter): void;
  /** Ends all responses. */
  close(): void;
}

/** Creates the set of readers. Without a store, there are no lines. */
export function createTails(store: Pick<LogStore, 'subscribe'> | undefined): Tails {
  const outputs = new Set<TailOutput>();
  return {
    isFull: () => outputs.size >= MAX_READERS,
    add(output, filter) {
      const match = createLineMatcher(filter);
      let missed = 0;
      const send = (lines: readonly FoundLine[]) => {
        const matching = lines.filter(({ line }) => match(line) !== undefined);
        if (matching.length === 0) return;
        if (output.writableLength > MAX_WAITING_BYTES) {
          missed += matching.length;
          return;
        }
        const values = matching.map(writtenLine);
        const parts = missed > 0 ? [{ missed }, ...values] : values;
        missed = 0;
        output.write(parts.map((part) => `${JSON.stringify(part)}\n`).join(''));
      };
      const unsubscribe = store?.subscribe(send);
      const heartbeat = setInterval(() => {
        if (output.writableLength === 0) output.write('\n');
      }, HEARTBEAT_MS).unref();
      outputs.add(output);
      output.once('close', () => {
        unsubscribe?.();
        clearInterval(heartbeat);
        outputs.delete(output);
      });
      output.write(`${JSON.stringify({ ready: true })}\n`);
    },
    close() {
      for (const output of outputs) output.end();
    },
  };
}
