/**
 * Stores the files of a base backup as chunks. Blocks of large files are chunks at fixed offsets, so unchanged blocks are
 * stored once. Small files share chunks; some paths end a chunk, so that a file that grows changes few of them.
 */
import { crc32 } from 'node:zlib';
import type { TarBlock } from '@greenroom/postgres';
import type { Piece } from '../archive/chunks/chunk-reader.ts';
import type { ChunkWriter } from '../archive/chunks/chunk-writer.ts';
import { writeIndex } from '../archive/chunks/index-file.ts';
import { SharedChunks, SMALL_BYTES } from '../archive/chunks/shared-chunks.ts';
import { ArchiveError } from '../errors.ts';
import type { DatabaseEntry } from './database-index.ts';

/** One of this number of paths ends a shared chunk. */
const PATHS_PER_CHUNK = 32;
/** Files of the process that runs the server, and sockets of the server; each start writes them. */
const OF_THE_PROCESS =
  /^(?:greenroom\.(?:lock|owner|postmaster\.pid|recovery(?:\/.*)?|checked(?:\.user)?\.conf)|\.s\.PGSQL\..*)$/;

/** The stored files. */
export interface WrittenDatabase {
  /** Ids of the chunks of the index. */
  index: string[];
  files: number;
  bytes: number;
}

/** Stores the blocks of files in their order. */
export class DatabaseWriter {
  readonly #writer: ChunkWriter;
  readonly #entries: DatabaseEntry[] = [];
  /** The last file, whose blocks are being added. */
  #pieces: Piece[] = [];
  readonly #shared: SharedChunks;
  #files = 0;
  #bytes = 0;

  constructor(writer: ChunkWriter) {
    this.#writer = writer;
    this.#shared = new SharedChunks(writer);
  }

  /** Adds the next block of a file, a folder or a link. Rejects if a chunk cannot be stored, and for links. */
  async add({ entry, offset, bytes }: TarBlock): Promise<void> {
    const { path, type, mode, size } = entry;
    if (OF_THE_PROCESS.test(path)) return;
    if (type === 'link') {
      throw new ArchiveError(
        'refused',
        `the database folder contains the link ${path} to ${entry.target}, which backups do not contain: move the target to this place`,
      );
    }
    if (type === 'directory') this.#entries.push({ path, mode });
    else {
      if (offset === 0) this.#begin({ path, mode, size });
      this.#bytes += bytes.length;
      if (size < SMALL_BYTES) await this.#share(path, bytes);
      else this.#pieces.push([await this.#writer.write(bytes), 0, bytes.length]);
    }
  }

  /** Stores the rest and the index. Chunks may still be on their way: the writer's `finish` waits for them. */
  async finish(): Promise<WrittenDatabase> {
    await this.#shared.flush();
    const index = await writeIndex(this.#writer, this.#entries);
    return { index, files: this.#files, bytes: this.#bytes };
  }

  #begin({ path, mode, size }: { path: string; mode: number; size: number }): void {
    this.#pieces = [];
    this.#files += 1;
    this.#entries.push({ path, mode, size, pieces: this.#pieces });
  }

  async #share(path: string, bytes: Buffer): Promise<void> {
    if (bytes.length === 0) return;
    await this.#shared.add(this.#pieces, bytes);
    if (crc32(path) % PATHS_PER_CHUNK === 0) await this.#shared.flush();
  }
}
