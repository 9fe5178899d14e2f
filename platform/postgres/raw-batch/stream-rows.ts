/** A large result, row by row, no faster than it is taken. */
import { type RawStatement, runRawBatch, type SegmentResult } from '../raw-batch.ts';
import type { RawClient } from './client.ts';
import type { RawRow } from './decode.ts';

/** With more than so many bytes waiting, the socket is not read from; it is again with half of it. */
const HIGH_WATER_BYTES = 256 * 1024;

/** Options of {@link streamRows}. */
export interface StreamOptions {
  signal?: AbortSignal | undefined;
  highWaterBytes?: number;
}

/**
 * Runs one segment and yields the rows of its last statement. When the consumer is slow, the socket is paused, and the
 * server waits, too: memory holds a few rows, whatever the size of the result. Throws the error of the segment, also after
 * some rows. A consumer that stops early cancels the statement; the connection is free when the generator has ended.
 */
export async function* streamRows(
  client: RawClient,
  segment: readonly RawStatement[],
  { signal, highWaterBytes = HIGH_WATER_BYTES }: StreamOptions = {},
): AsyncGenerator<RawRow, void, undefined> {
  const stopping = new AbortController();
  const rows = new RowQueue(client, highWaterBytes);
  const ended = runRawBatch(client, [segment], {
    signal: signal === undefined ? stopping.signal : AbortSignal.any([signal, stopping.signal]),
    streamed: segment.length - 1,
    onRow: (row, bytes) => rows.push(row, bytes),
  });
  const outcome = ended.then(
    ([result]) => errorOf(result),
    (error: Error) => error,
  );
  void outcome.then(() => rows.end());
  try {
    yield* rows.take();
    const error = await outcome;
    if (error !== undefined) throw error;
  } finally {
    if (!rows.hasEnded) stopping.abort();
    // Also when the last row has come: the socket may be paused still.
    rows.discard();
    await outcome;
  }
}

function errorOf(result: SegmentResult | undefined): Error | undefined {
  return result?.failure?.error;
}

/** Rows that wait for the consumer. */
class RowQueue {
  readonly #client: RawClient;
  readonly #highWaterBytes: number;
  #rows: { row: RawRow; bytes: number }[] = [];
  #bytes = 0;
  #isPaused = false;
  #isDiscarding = false;
  #wake: (() => void) | undefined;
  hasEnded = false;

  constructor(client: RawClient, highWaterBytes: number) {
    this.#client = client;
    this.#highWaterBytes = highWaterBytes;
  }

  push(row: RawRow, bytes: number): void {
    if (this.#isDiscarding) return;
    this.#rows.push({ row, bytes });
    this.#bytes += bytes;
    if (this.#bytes > this.#highWaterBytes && !this.#isPaused) {
      this.#isPaused = true;
      this.#client.pause();
    }
    this.#wake?.();
  }

  end(): void {
    this.hasEnded = true;
    this.#wake?.();
  }

  /** Forgets what waits and what will come. */
  discard(): void {
    this.#isDiscarding = true;
    this.#rows = [];
    this.#client.resume();
  }

  async *take(): AsyncGenerator<RawRow, void, undefined> {
    for (;;) {
      const rows = this.#rows;
      this.#rows = [];
      for (const { row, bytes } of rows) {
        this.#taken(bytes);
        yield row;
      }
      if (this.#rows.length > 0) continue;
      if (this.hasEnded) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  #taken(bytes: number): void {
    this.#bytes -= bytes;
    if (!this.#isPaused || this.#bytes > this.#highWaterBytes / 2) return;
    this.#isPaused = false;
    this.#client.resume();
  }
}
