/**
 * Large content on its way to a file: a few pieces of memory in turn. While some are written and hashed, in threads, the
 * next is filled; and the disk syncs what it has got while more comes.
 */
import type { FileHandle } from 'node:fs/promises';
import type { ThreadedHash } from './md5-thread.ts';
import { writeAll } from './write-all.ts';

/** So many pieces of memory of this size. */
const SLABS = 4;
const SLAB_BYTES = 512 * 1024;
/**
 * So many bytes are synced together. A file that waits for its end with that would hold up everybody who syncs something
 * then, the database too.
 */
const SYNC_BYTES = 16 * 1024 * 1024;

/** Bytes whose memory can be given to a thread. */
type Memory = Buffer<ArrayBuffer>;

/** Writes a file from its beginning. */
export class Slabs {
  readonly #file: FileHandle;
  readonly #hash: ThreadedHash;
  readonly #release: (chunk: Buffer) => void;
  /** Memory that is being written or hashed, the oldest first. The thread that hashes has it meanwhile. */
  readonly #busy: Promise<Memory>[] = [];
  #filling: Memory = Buffer.allocUnsafeSlow(SLAB_BYTES);
  #filled = 0;
  #position = 0;
  #written = 0;
  #synced = 0;
  #writing = Promise.resolve();
  #syncing: Promise<void> | undefined;

  /** @param release called with each chunk that has been copied */
  constructor(file: FileHandle, hash: ThreadedHash, release: (chunk: Buffer) => void) {
    this.#file = file;
    this.#hash = hash;
    this.#release = release;
  }

  /** A promise where there is something to wait for before the next chunk. */
  push(chunk: Buffer): Promise<void> | undefined {
    if (this.#filled + chunk.length >= SLAB_BYTES) return this.#pushAcross(chunk);
    chunk.copy(this.#filling, this.#filled);
    this.#filled += chunk.length;
    this.#release(chunk);
    return undefined;
  }

  /** Resolves with the MD5 when all is written, though not all synced. */
  async finish(): Promise<string> {
    this.#begin();
    await Promise.all(this.#busy);
    await this.#syncing;
    return this.#hash.digest();
  }

  /** Resolves when nothing uses the file any more. */
  async stop(): Promise<void> {
    await Promise.allSettled([...this.#busy, this.#syncing]);
    this.#hash.drop();
  }

  async #pushAcross(chunk: Buffer): Promise<void> {
    let taken = 0;
    while (taken < chunk.length) {
      const copied = chunk.copy(this.#filling, this.#filled, taken);
      taken += copied;
      this.#filled += copied;
      if (this.#filled < SLAB_BYTES) continue;
      this.#begin();
      this.#filling = await this.#nextSlab();
    }
    this.#release(chunk);
  }

  /** Begins to write and to hash what has been filled, after what was filled before it. */
  #begin(): void {
    const [bytes, length, position] = [this.#filling, this.#filled, this.#position];
    this.#writing = this.#writing.then(() => this.#write(bytes, length, position));
    const busy = this.#writing.then(() => this.#hash.update(bytes, length));
    // Who awaits it comes later than its failure may.
    busy.catch(() => {});
    this.#busy.push(busy);
    this.#position += length;
    this.#filled = 0;
  }

  async #write(bytes: Buffer, length: number, position: number): Promise<void> {
    await writeAll(this.#file, bytes, length, position);
    this.#written += length;
    if (this.#syncing === undefined && this.#written - this.#synced >= SYNC_BYTES) this.#sync();
  }

  /** What it rejects with stays: a file that could not be synced once may say that it can the next time. */
  #sync(): void {
    const until = this.#written;
    this.#syncing = this.#file.datasync().then(() => {
      this.#synced = until;
      this.#syncing = undefined;
    });
    this.#syncing.catch(() => {});
  }

  /** New memory, or that which has been busy for the longest time. */
  #nextSlab(): Memory | Promise<Memory> {
    if (this.#busy.length < SLABS) return Buffer.allocUnsafeSlow(SLAB_BYTES);
    return this.#busy.shift() as Promise<Memory>;
  }
}
