/** Reads the lines of a file that another process appends to, and may replace by a new file. */
import { open, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 100;
const CHUNK_BYTES = 65_536;

/** A line, or the end of the lines that existed when the reader began. */
export type LogItem = { kind: 'line'; text: string } | { kind: 'caught-up' };

/** Options of {@link logItems}. */
interface Options {
  /** Whether to wait for further lines. */
  follows: boolean;
  /** Ends the wait. */
  signal: AbortSignal;
}

/**
 * Yields all lines of the file, then those that are appended to it, also after it was replaced. Rejects if the file cannot be
 * read.
 */
export async function* logItems(path: string, { follows, signal }: Options): AsyncGenerator<LogItem> {
  let isCaughtUp = false;
  while (!signal.aborted) {
    await using file = await open(path, 'r');
    const { ino } = await file.stat();
    const lines = new LineReader();
    for (;;) {
      // Checked before the end is read, so that the former file is read to its end.
      const isReplaced = await wasReplaced(path, ino);
      for await (const chunk of readRest(file)) {
        for (const text of lines.add(chunk)) yield { kind: 'line', text };
      }
      if (!isCaughtUp && follows) yield { kind: 'caught-up' };
      isCaughtUp = true;
      if (!follows || isReplaced || signal.aborted) break;
      await sleep(POLL_MS, undefined, { signal }).catch(() => undefined);
    }
    for (const text of lines.end()) yield { kind: 'line', text };
    if (!follows) return;
  }
}

type OpenFile = Awaited<ReturnType<typeof open>>;

async function* readRest(file: OpenFile): AsyncGenerator<Buffer> {
  const buffer = Buffer.alloc(CHUNK_BYTES);
  for (;;) {
    // Continues at the position of the last read.
    const { bytesRead } = await file.read(buffer, 0, CHUNK_BYTES, null);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}

/** Between the two steps of a replacement, the path has no file. */
async function wasReplaced(path: string, inode: number): Promise<boolean> {
  const current = await stat(path).catch(() => undefined);
  return current !== undefined && current.ino !== inode;
}

/** Splits chunks into lines. */
class LineReader {
  readonly #decoder = new TextDecoder();
  #partial = '';

  add(chunk: Buffer): string[] {
    const lines = (this.#partial + this.#decoder.decode(chunk, { stream: true })).split('\n');
    this.#partial = lines.pop() ?? '';
    return lines;
  }

  /** Returns the last line, if it has no end. */
  end(): string[] {
    return this.#partial === '' ? [] : [this.#partial];
  }
}
