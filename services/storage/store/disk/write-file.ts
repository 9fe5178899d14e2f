/**
 * Writing a stream to a new file, counted, hashed and synced. Small content is written at once. Large content goes
 * through a few pieces of memory in turn: while some are written and hashed, in threads, the next is filled.
 */
import { createHash } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { failure } from '../../errors.ts';
import type { ChunkCollector } from './chunk-collector.ts';
import type { Md5Thread, ThreadedHash } from './md5-thread.ts';
import { PIECE_BYTES, type SharedPiece, type SharedPieces } from './shared-pieces.ts';

/** Up to here content is kept in memory until it is whole. Hashing that much is over in two milliseconds. */
const SMALL_BYTES = 1024 * 1024;
/** Each chunk costs memory of its own: whoever sends bytes one by one must not have it all. */
const MOST_CHUNKS = 128;
/** Large content has so many pieces of memory. */
const SLABS = 4;
const FILE_MODE = 0o600;

/** What was written. */
export interface Written {
  size: number;
  /** In hexadecimal. */
  md5: string;
}

/** Of a write. */
export interface WriteFileOptions {
  maxBytes: number;
  signal?: AbortSignal | undefined;
}

/** What large content is written with. */
export interface WriteMeans {
  thread: Md5Thread;
  pieces: SharedPieces;
  collector: ChunkCollector;
}

/**
 * Writes `content` to a file at `path` that must not be there yet, and resolves when it is on stable storage. Where it
 * rejects, there is no file. The stream is not destroyed: it may be a request that is yet to be answered.
 */
export async function writeFile(
  path: string,
  content: Readable,
  options: WriteFileOptions,
  means: WriteMeans,
): Promise<Written> {
  const target = new Target(path, means);
  const breakOff = () => content.destroy(reasonOf(options.signal));
  options.signal?.addEventListener('abort', breakOff, { once: true });
  try {
    options.signal?.throwIfAborted();
    for await (const chunk of content.iterator({ destroyOnReturn: false })) {
      target.size += chunk.length;
      if (target.size > options.maxBytes) throw failure('EntityTooLarge');
      await target.push(chunk);
    }
    options.signal?.throwIfAborted();
    return await target.finish();
  } catch (error) {
    await target.discard();
    throw error;
  } finally {
    options.signal?.removeEventListener('abort', breakOff);
  }
}

function reasonOf(signal: AbortSignal | undefined): Error {
  return signal?.reason instanceof Error ? signal.reason : new Error('the write was broken off');
}

class Target {
  size = 0;
  readonly #path: string;
  readonly #means: WriteMeans;
  #file: FileHandle | undefined;
  #held: Buffer[] = [];
  #slabs: Slabs | undefined;

  constructor(path: string, means: WriteMeans) {
    this.#path = path;
    this.#means = means;
  }

  async push(chunk: Buffer): Promise<void> {
    if (this.#slabs === undefined) {
      this.#held.push(chunk);
      if (this.size <= SMALL_BYTES && this.#held.length <= MOST_CHUNKS) return;
      this.#slabs = new Slabs(await this.#open(), this.#means);
      const held = this.#held;
      this.#held = [];
      for (const early of held) await this.#slabs.push(early);
    } else {
      // Mostly there is nothing to wait for, and then no turn of the event loop is lost.
      const full = this.#slabs.push(chunk);
      if (full !== undefined) await full;
    }
  }

  async finish(): Promise<Written> {
    const md5 = this.#slabs === undefined ? await this.#writeHeld() : await this.#slabs.finish();
    await this.#file?.datasync();
    await this.#close();
    return { size: this.size, md5 };
  }

  async discard(): Promise<void> {
    await this.#slabs?.stop();
    if (this.#file === undefined) return;
    await this.#close().catch(() => {});
    await unlink(this.#path).catch(() => {});
  }

  async #writeHeld(): Promise<string> {
    const file = await this.#open();
    const { bytesWritten } = await file.writev(this.#held, 0);
    // Rare: a disk that is nearly full may take less than it was given, and says why the next time.
    if (bytesWritten < this.size) await writeAll(file, Buffer.concat(this.#held), this.size, 0);
    const hash = createHash('md5');
    for (const chunk of this.#held) hash.update(chunk);
    return hash.digest('hex');
  }

  async #open(): Promise<FileHandle> {
    this.#file = await open(this.#path, 'wx', FILE_MODE);
    return this.#file;
  }

  async #close(): Promise<void> {
    await this.#file?.close();
  }
}

/** A piece of memory, and what it is used for. */
interface Slab extends SharedPiece {
  /** Until what was last in it is written and hashed. */
  busy: Promise<void>;
}

class Slabs {
  readonly #file: FileHandle;
  readonly #hash: ThreadedHash;
  readonly #pieces: SharedPieces;
  readonly #collector: ChunkCollector;
  readonly #slabs: Slab[] = [];
  #filling: Slab;
  #filled = 0;
  #position = 0;

  constructor(file: FileHandle, { thread, pieces, collector }: WriteMeans) {
    this.#file = file;
    this.#hash = thread.hash();
    this.#pieces = pieces;
    this.#collector = collector;
    this.#filling = this.#newSlab();
  }

  /** A promise where there is something to wait for before the next chunk. */
  push(chunk: Buffer): Promise<void> | undefined {
    if (this.#filled + chunk.length >= PIECE_BYTES) return this.#pushAcross(chunk);
    chunk.copy(this.#filling.bytes, this.#filled);
    this.#filled += chunk.length;
    return undefined;
  }

  async finish(): Promise<string> {
    this.#begin();
    await Promise.all(this.#slabs.map(({ busy }) => busy));
    this.#giveBack();
    return this.#hash.digest();
  }

  async stop(): Promise<void> {
    await Promise.allSettled(this.#slabs.map(({ busy }) => busy));
    this.#giveBack();
    this.#hash.drop();
  }

  async #pushAcross(chunk: Buffer): Promise<void> {
    let taken = 0;
    while (taken < chunk.length) {
      const copied = chunk.copy(this.#filling.bytes, this.#filled, taken);
      taken += copied;
      this.#filled += copied;
      if (this.#filled < PIECE_BYTES) continue;
      this.#begin();
      this.#filling = await this.#nextSlab();
    }
  }

  /** Begins to write and to hash what has been filled. */
  #begin(): void {
    const slab = this.#filling;
    const length = this.#filled;
    slab.busy = settled([
      writeAll(this.#file, slab.bytes, length, this.#position),
      this.#hash.update(slab.memory, length),
    ]);
    // Who awaits it comes later than its failure may.
    slab.busy.catch(() => {});
    this.#slabs.push(slab);
    this.#position += length;
    this.#filled = 0;
    this.#collector.drop(length);
  }

  /** A new one, or the one that has been busy for the longest time. */
  async #nextSlab(): Promise<Slab> {
    const oldest = this.#slabs[0];
    if (oldest === undefined || this.#slabs.length < SLABS) return this.#newSlab();
    await oldest.busy;
    this.#slabs.shift();
    return oldest;
  }

  #newSlab(): Slab {
    return { ...this.#pieces.take(), busy: Promise.resolve() };
  }

  /** Nothing is busy any more. The one that is being filled may be one of them. */
  #giveBack(): void {
    for (const slab of new Set([...this.#slabs.splice(0), this.#filling])) this.#pieces.giveBack(slab);
  }
}

/** Rejects as `Promise.all` does, but not before all are over: their memory and file are in use until then. */
async function settled(calls: readonly Promise<unknown>[]): Promise<void> {
  for (const result of await Promise.allSettled(calls)) if (result.status === 'rejected') throw result.reason;
}

/** A write may take less than it was given, e.g. where a disk is nearly full. */
async function writeAll(file: FileHandle, bytes: Buffer, length: number, position: number): Promise<void> {
  let written = 0;
  while (written < length) {
    const { bytesWritten } = await file.write(bytes, written, length - written, position + written);
    written += bytesWritten;
  }
}
