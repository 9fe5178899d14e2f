/**
 * Memory that threads share, used again and again. Memory of its own for each content would stay until both threads have
 * collected their garbage, and a thread that only hashes hardly has any.
 */

/** A piece of it. */
export interface SharedPiece {
  memory: SharedArrayBuffer;
  /** The same memory. */
  bytes: Buffer;
}

/** Bytes of a piece. */
export const PIECE_BYTES = 512 * 1024;
/** Free ones that are kept. */
const MOST_FREE = 32;

/** All pieces of one store. */
export class SharedPieces {
  readonly #free: SharedPiece[] = [];

  /** One that nobody else has. What was in it before may still be there. */
  take(): SharedPiece {
    const free = this.#free.pop();
    if (free !== undefined) return free;
    const memory = new SharedArrayBuffer(PIECE_BYTES);
    return { memory, bytes: Buffer.from(memory) };
  }

  /** Once nobody reads or writes it any more. */
  giveBack({ memory, bytes }: SharedPiece): void {
    if (this.#free.length < MOST_FREE) this.#free.push({ memory, bytes });
  }
}
