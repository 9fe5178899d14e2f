/** Stores the content of objects as chunks. Small contents share chunks. */
import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Piece } from '../archive/chunks/chunk-reader.ts';
import { CHUNK_BYTES, type ChunkWriter } from '../archive/chunks/chunk-writer.ts';
import { SharedChunks, SMALL_BYTES } from '../archive/chunks/shared-chunks.ts';

/** Stored content. */
interface StoredContent {
  size: number;
  sha256: string;
  /** Complete after `flush`. */
  pieces: Piece[];
}

/** Stores one content after the other. */
export class ContentStorer {
  readonly #writer: ChunkWriter;
  readonly #shared: SharedChunks;

  constructor(writer: ChunkWriter) {
    this.#writer = writer;
    this.#shared = new SharedChunks(writer);
  }

  /** Reads content to its end. Rejects with the error of the stream or of the archive. */
  async store(content: Readable): Promise<StoredContent> {
    const hash = createHash('sha256');
    const pieces: Piece[] = [];
    let size = 0;
    let waiting: Buffer[] = [];
    let waitingBytes = 0;
    for await (const part of content as AsyncIterable<Buffer>) {
      hash.update(part);
      size += part.length;
      waiting.push(part);
      waitingBytes += part.length;
      while (waitingBytes >= CHUNK_BYTES) {
        const bytes = Buffer.concat(waiting);
        pieces.push([await this.#writer.write(bytes.subarray(0, CHUNK_BYTES)), 0, CHUNK_BYTES]);
        // A copy, because the chunk before it must not be kept in memory.
        waiting = [Buffer.from(bytes.subarray(CHUNK_BYTES))];
        waitingBytes -= CHUNK_BYTES;
      }
    }
    const rest = Buffer.concat(waiting);
    if (size < SMALL_BYTES) await this.#shared.add(pieces, rest);
    else if (rest.length > 0) pieces.push([await this.#writer.write(rest), 0, rest.length]);
    return { size, sha256: hash.digest('hex'), pieces };
  }

  /** Writes the chunk of small contents, which completes their pieces. */
  flush(): Promise<void> {
    return this.#shared.flush();
  }
}
