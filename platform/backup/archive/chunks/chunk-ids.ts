/**
 * Ids of chunks: 64 hexadecimal digits, 32 bytes in lists of references. A set of ids keeps the listed ones in one
 * sorted buffer, because an archive of 1 TB has a million chunks.
 */

/** Bytes of an id. */
export const CHUNK_ID_BYTES = 32;
const CHUNKS_FOLDER = 'chunks/';
const CHUNK_NAME = /^chunks\/([0-9a-f]{2})\/(\1[0-9a-f]{62})$/;

/** Returns the name of a chunk: `chunks/<first two digits>/<id>`. */
export function chunkName(id: string): string {
  return `${CHUNKS_FOLDER}${id.slice(0, 2)}/${id}`;
}

/** Returns the id in the name of a chunk; undefined for another name. */
export function chunkIdOf(name: string): string | undefined {
  return CHUNK_NAME.exec(name)?.[2];
}

/** Added ids before they are merged into the buffer: a text needs several times the memory. */
const MAX_ADDED = 65_536;

/** A growing set of ids. */
export class ChunkIds {
  /** Sorted, without gaps. */
  #sorted: Buffer;
  readonly #added = new Set<string>();

  /** @param sorted ids in ascending order, 32 bytes each */
  constructor(sorted: Buffer = Buffer.alloc(0)) {
    this.#sorted = sorted;
  }

  /** Number of ids. */
  get size(): number {
    return this.#sorted.length / CHUNK_ID_BYTES + this.#added.size;
  }

  has(id: string): boolean {
    return this.#added.has(id) || this.#isListed(Buffer.from(id, 'hex'));
  }

  /** Adds an id; returns false if it was in the set before. */
  add(id: string): boolean {
    if (this.has(id)) return false;
    this.#added.add(id);
    if (this.#added.size >= MAX_ADDED) this.toBuffer();
    return true;
  }

  /** Returns all ids in ascending order, 32 bytes each. */
  toBuffer(): Buffer {
    if (this.#added.size === 0) return this.#sorted;
    this.#sorted = merge(this.#sorted, [...this.#added].toSorted());
    this.#added.clear();
    return this.#sorted;
  }

  #isListed(id: Buffer): boolean {
    let [low, high] = [0, this.#sorted.length / CHUNK_ID_BYTES];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const start = middle * CHUNK_ID_BYTES;
      const order = id.compare(this.#sorted, start, start + CHUNK_ID_BYTES);
      if (order === 0) return true;
      if (order < 0) high = middle;
      else low = middle + 1;
    }
    return false;
  }
}

/** Merges two sorted lists without common ids. */
function merge(sorted: Buffer, added: readonly string[]): Buffer {
  const merged = Buffer.alloc(sorted.length + added.length * CHUNK_ID_BYTES);
  let from = 0;
  let to = 0;
  for (const id of added) {
    const bytes = Buffer.from(id, 'hex');
    const start = from;
    while (from < sorted.length && bytes.compare(sorted, from, from + CHUNK_ID_BYTES) > 0)
      from += CHUNK_ID_BYTES;
    to += sorted.copy(merged, to, start, from);
    to += bytes.copy(merged, to);
  }
  sorted.copy(merged, to, from);
  return merged;
}

/** Yields the ids of a list of references. */
export function* idsIn(references: Buffer): Generator<string> {
  for (let at = 0; at < references.length; at += CHUNK_ID_BYTES)
    yield references.toString('hex', at, at + CHUNK_ID_BYTES);
}
