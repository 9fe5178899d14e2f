/** Stores small contents together in chunks. */
import type { Piece } from './chunk-reader.ts';
import { CHUNK_BYTES, type ChunkWriter } from './chunk-writer.ts';

/** Smaller contents share chunks. */
export const SMALL_BYTES = 256 * 1024;

/** Contents that wait for their chunk. */
export class SharedChunks {
  readonly #writer: ChunkWriter;
  #waiting: { pieces: Piece[]; bytes: Buffer }[] = [];
  #bytes = 0;

  constructor(writer: ChunkWriter) {
    this.#writer = writer;
  }

  /** Adds content. Its piece is appended to `pieces` when its chunk is written: at the latest by `flush`. */
  async add(pieces: Piece[], bytes: Buffer): Promise<void> {
    if (bytes.length === 0) return;
    if (this.#bytes + bytes.length > CHUNK_BYTES) await this.flush();
    this.#waiting.push({ pieces, bytes });
    this.#bytes += bytes.length;
  }

  /** Writes the chunk of all waiting contents. */
  async flush(): Promise<void> {
    if (this.#waiting.length === 0) return;
    const contents = this.#waiting;
    this.#waiting = [];
    this.#bytes = 0;
    const chunk = await this.#writer.write(Buffer.concat(contents.map(({ bytes }) => bytes)));
    let offset = 0;
    for (const { pieces, bytes } of contents) {
      pieces.push([chunk, offset, bytes.length]);
      offset += bytes.length;
    }
  }
}
