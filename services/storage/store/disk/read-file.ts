/** Reads a file as a stream. The first bytes are read before the stream is returned. */
import { close, open, read } from 'node:fs';
import { Readable } from 'node:stream';
import type { ByteRange } from '../object-store.ts';
import type { ReadLimiter } from '../read-limits.ts';

/** Content up to this size needs a single read. */
const FIRST_BYTES = 64 * 1024;
const CHUNK_BYTES = 256 * 1024;

/**
 * Opens a file. Rejects with file system errors such as ENOENT. A stream that is neither read to its end nor destroyed
 * keeps the file open.
 */
export async function readFile(
  path: string,
  range: ByteRange | undefined,
  limiter: ReadLimiter = unlimited,
): Promise<Readable> {
  return limiter(() => openStream(path, range, limiter));
}

async function openStream(
  path: string,
  range: ByteRange | undefined,
  limiter: ReadLimiter,
): Promise<Readable> {
  const descriptor = await openFile(path);
  const start = range?.start ?? 0;
  const length = range === undefined ? Number.POSITIVE_INFINITY : range.end - start + 1;
  try {
    const first = await readAt(descriptor, start, Math.min(length, FIRST_BYTES));
    const isAll = first.length === length || first.length < FIRST_BYTES;
    if (!isAll) return new FileStream({ descriptor, first, position: start, length, limiter });
    close(descriptor);
    return new BufferStream(first);
  } catch (error) {
    close(descriptor);
    throw error;
  }
}

function unlimited<T>(read: () => Promise<T>): Promise<T> {
  return read();
}

/** A stream of bytes that are already in memory. */
class BufferStream extends Readable {
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    super();
    this.#bytes = bytes;
  }

  override _read(): void {
    if (this.#bytes.length > 0) this.push(this.#bytes);
    this.push(null);
  }
}

/** The part of a file that a stream reads. */
interface Reading {
  descriptor: number;
  /** First bytes, which have already been read. */
  first: Buffer;
  position: number;
  /** Number of bytes to read from `position`. */
  length: number;
  limiter: ReadLimiter;
}

class FileStream extends Readable {
  readonly #descriptor: number;
  readonly #limiter: ReadLimiter;
  #first: Buffer | undefined;
  #position: number;
  #remaining: number;
  /** Closing is deferred while a read is pending, because the descriptor could be reused for another file. */
  #isReading = false;
  #closeWhenRead: (() => void) | undefined;

  constructor({ descriptor, first, position, length, limiter }: Reading) {
    super({ highWaterMark: CHUNK_BYTES });
    this.#limiter = limiter;
    this.#descriptor = descriptor;
    this.#first = first;
    this.#position = position;
    this.#remaining = length;
  }

  override _read(): void {
    if (this.#first !== undefined) {
      const first = this.#first;
      this.#first = undefined;
      this.#pushBytes(first);
      return;
    }
    const length = Math.min(this.#remaining, CHUNK_BYTES);
    if (length === 0) {
      this.push(null);
      return;
    }
    this.#limiter(() => this.#readChunk(length)).catch((error: Error) => this.destroy(error));
  }

  async #readChunk(length: number): Promise<void> {
    // The stream was destroyed while it waited, and the file is closed.
    if (this.destroyed) return;
    this.#isReading = true;
    const bytes = await readAt(this.#descriptor, this.#position, length).finally(() => this.#readEnded());
    if (bytes.length === 0) this.push(null);
    else this.#pushBytes(bytes);
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    const end = () => close(this.#descriptor, (failed) => callback(error ?? failed));
    if (this.#isReading) this.#closeWhenRead = end;
    else end();
  }

  #pushBytes(bytes: Buffer): void {
    this.#position += bytes.length;
    this.#remaining -= bytes.length;
    this.push(bytes);
  }

  #readEnded(): void {
    this.#isReading = false;
    this.#closeWhenRead?.();
  }
}

function openFile(path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    open(path, 'r', (error, descriptor) => (error ? reject(error) : resolve(descriptor)));
  });
}

function readAt(descriptor: number, position: number, length: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const bytes = Buffer.allocUnsafeSlow(length);
    read(descriptor, bytes, 0, length, position, (error, count) =>
      error ? reject(error) : resolve(bytes.subarray(0, count)),
    );
  });
}
