/**
 * Writes large content to a file through a few rotating buffers (slabs). While some slabs are written and hashed in
 * threads, the next one is filled; the file is synced periodically in the meantime. Slabs are freed at the end, because the
 * garbage collector would let those of many uploads accumulate.
 */
import type { FileHandle } from 'node:fs/promises';
import { freeMemory } from '../release-chunk.ts';
import type { ThreadedHash } from './md5-thread.ts';
import { writeAll } from './write-all.ts';

/** Number and size of the slabs. */
const SLABS = 4;
const SLAB_BYTES = 512 * 1024;
/**
 * Bytes between two syncs. Syncing a large file only at its end would block other syncs on the same disk, including
 * those of the database.
 */
const SYNC_BYTES = 16 * 1024 * 1024;

/** Bytes whose memory can be transferred to a thread. */
type Memory = Buffer<ArrayBuffer>;

/** Writes one file sequentially. */
export class Slabs {
  readonly #file: FileHandle;
  readonly #hash: ThreadedHash;
  readonly #release: (chunk: Buffer) => void;
  /** Slabs that are being written or hashed, oldest first. During hashing, the thread owns the memory. */
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

  /** Returns a promise if the caller must wait before it pushes the next chunk. */
  push(chunk: Buffer): Promise<void> | undefined {
    if (this.#filled + chunk.length >= SLAB_BYTES) return this.#pushAcross(chunk);
    chunk.copy(this.#filling, this.#filled);
    this.#filled += chunk.length;
    this.#release(chunk);
    return undefined;
  }

  /** Resolves with the MD5 in hexadecimal when all bytes are written. The caller syncs the rest of the file. */
  async finish(): Promise<string> {
    this.#begin();
    const slabs = await Promise.all(this.#busy);
    this.#busy.length = 0;
    for (const slab of slabs) freeMemory(slab);
    await this.#syncing;
    return this.#hash.digest();
  }

  /** Discards the hash. Resolves when the file is no longer in use. */
  async stop(): Promise<void> {
    await Promise.allSettled([...this.#busy, this.#syncing]);
    this.#hash.drop();
  }

  async #pushAcross(chunk: Buffer): Promise<void> {
    let offset = 0;
    while (offset < chunk.length) {
      const copied = chunk.copy(this.#filling, this.#filled, offset);
      offset += copied;
      this.#filled += copied;
      if (this.#filled < SLAB_BYTES) continue;
      this.#begin();
      this.#filling = await this.#nextSlab();
    }
    this.#release(chunk);
  }

  /** Starts to write and hash the filled slab, after all previous slabs. */
  #begin(): void {
    const [bytes, length, position] = [this.#filling, this.#filled, this.#position];
    this.#writing = this.#writing.then(() => this.#write(bytes, length, position));
    const busy = this.#writing.then(() => this.#hash.update(bytes, length));
    // Prevents an unhandled rejection: the promise may reject before it is awaited.
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

  /** A failed sync stays in `#syncing`, because a later sync may succeed although bytes were lost. */
  #sync(): void {
    const until = this.#written;
    this.#syncing = this.#file.datasync().then(() => {
      this.#synced = until;
      this.#syncing = undefined;
    });
    this.#syncing.catch(() => {});
  }

  /** Allocates a slab, or waits for the oldest busy slab. */
  #nextSlab(): Memory | Promise<Memory> {
    if (this.#busy.length < SLABS) return Buffer.allocUnsafeSlow(SLAB_BYTES);
    return this.#busy.shift() as Promise<Memory>;
  }
}
