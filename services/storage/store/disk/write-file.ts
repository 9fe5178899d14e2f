/**
 * Writes a stream to a new file, and counts, hashes and syncs it. Small content is buffered and written at once. Large
 * content goes through {@link Slabs}.
 */
import { createHash, hash } from 'node:crypto';
import { type FileHandle, open, rename, unlink } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { failure } from '../../errors.ts';
import { chunkReleaserOf } from '../release-chunk.ts';
import type { Md5Thread } from './md5-thread.ts';
import { readChunks } from './read-chunks.ts';
import { Slabs } from './slabs.ts';
import { writeSmallFile } from './small-file.ts';
import type { DiskSpace } from './space.ts';
import { settled } from './write-all.ts';

/** Content up to this size is buffered. Hashing it takes at most two milliseconds. */
const SMALL_BYTES = 1024 * 1024;
/** Most buffered chunks. Each chunk has memory overhead, which a client that sends single bytes could exploit. */
const MAX_CHUNKS = 128;
const FILE_MODE = 0o600;

/** Size and hash of written content. */
export interface Written {
  size: number;
  /** In hexadecimal. */
  md5: string;
}

/** Options of a write. */
interface WriteFileOptions {
  maxBytes: number;
  /** Number of bytes, if known. */
  bytes?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** The final name of a file. */
interface FinalName {
  file: string;
  /** Resolves when the name is on stable storage. */
  sync(): Promise<void>;
}

/** Resources for writing, and the final name of the file. */
interface FileTarget {
  thread: Md5Thread;
  space: DiskSpace;
  nameOf: (written: Written) => FinalName;
}

/**
 * Writes `content` to a new file at `path`, renames it to its final name when it is complete, and resolves when both
 * are on stable storage. The bytes and the name are synced concurrently, which takes one wait for the disk instead of
 * two: if the machine fails meanwhile, the name may exist without the bytes. If this rejects, no file is left. The
 * stream is not destroyed, because it may be a request that still needs a response.
 */
export async function writeFile(
  path: string,
  content: Readable,
  options: WriteFileOptions,
  { thread, space, nameOf }: FileTarget,
): Promise<Written> {
  const claim = await space.claim(options.bytes);
  const target = new Target(path, thread, chunkReleaserOf(content));
  const abort = () => content.destroy(reasonOf(options.signal));
  options.signal?.addEventListener('abort', abort, { once: true });
  try {
    options.signal?.throwIfAborted();
    await readChunks(content, (chunk) => {
      target.size += chunk.length;
      if (target.size > options.maxBytes) throw failure('EntityTooLarge');
      claim.use(chunk.length);
      return target.push(chunk);
    });
    options.signal?.throwIfAborted();
    return await target.finish(nameOf);
  } catch (error) {
    await target.discard();
    throw error;
  } finally {
    options.signal?.removeEventListener('abort', abort);
    claim.release();
  }
}

function reasonOf(signal: AbortSignal | undefined): Error {
  return signal?.reason instanceof Error ? signal.reason : new Error('the write was aborted');
}

class Target {
  size = 0;
  /** Current path of the file. */
  #path: string;
  readonly #thread: Md5Thread;
  readonly #release: (chunk: Buffer) => void;
  #file: FileHandle | undefined;
  #buffered: Buffer[] = [];
  #slabs: Slabs | undefined;

  constructor(path: string, thread: Md5Thread, release: (chunk: Buffer) => void) {
    this.#path = path;
    this.#thread = thread;
    this.#release = release;
  }

  /** Returns a promise if the caller must wait before it pushes the next chunk. */
  push(chunk: Buffer): Promise<void> | undefined {
    if (this.#slabs !== undefined) return this.#slabs.push(chunk);
    this.#buffered.push(chunk);
    if (this.size <= SMALL_BYTES && this.#buffered.length <= MAX_CHUNKS) return undefined;
    return this.#switchToSlabs();
  }

  finish(nameOf: (written: Written) => FinalName): Promise<Written> {
    return this.#slabs === undefined ? this.#writeBuffered(nameOf) : this.#finishSlabs(this.#slabs, nameOf);
  }

  async discard(): Promise<void> {
    await this.#slabs?.stop();
    if (this.#file === undefined) return;
    await this.#close().catch(() => {});
    await unlink(this.#path).catch(() => {});
  }

  async #switchToSlabs(): Promise<void> {
    this.#slabs = new Slabs(await this.#open(), this.#thread.hash(), this.#release);
    const buffered = this.#buffered;
    this.#buffered = [];
    for (const early of buffered) await this.#slabs.push(early);
  }

  async #writeBuffered(nameOf: (written: Written) => FinalName): Promise<Written> {
    const buffered = this.#buffered;
    const written = { size: this.size, md5: md5Of(buffered) };
    const { file, sync } = nameOf(written);
    await writeSmallFile(buffered, { temporary: this.#path, file, mode: FILE_MODE, syncName: sync });
    for (const chunk of buffered) this.#release(chunk);
    this.#buffered = [];
    return written;
  }

  async #finishSlabs(slabs: Slabs, nameOf: (written: Written) => FinalName): Promise<Written> {
    const written = { size: this.size, md5: await slabs.finish() };
    const finalName = nameOf(written);
    const file = await this.#open();
    await rename(this.#path, finalName.file);
    this.#path = finalName.file;
    await settled([file.datasync(), finalName.sync()]);
    await this.#close();
    return written;
  }

  async #open(): Promise<FileHandle> {
    this.#file ??= await open(this.#path, 'wx', FILE_MODE);
    return this.#file;
  }

  async #close(): Promise<void> {
    await this.#file?.close();
  }
}

function md5Of(chunks: readonly Buffer[]): string {
  const [first, ...others] = chunks;
  if (first !== undefined && others.length === 0) return hash('md5', first, 'hex');
  const md5 = createHash('md5');
  for (const chunk of chunks) md5.update(chunk);
  return md5.digest('hex');
}
