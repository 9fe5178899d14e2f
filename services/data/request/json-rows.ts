/**
 * What a JSON text has on its outside: is it one object or a list, and which keys do the objects have? Found by one
 * pass over the bytes that checks the grammar (RFC 8259) and builds no values: bodies go to PostgreSQL as they came,
 * which keeps long numbers, the order of keys, and names such as `__proto__` as they are.
 */
import { isUtf8 } from 'node:buffer';
import {
  BACKSLASH,
  JsonScanError,
  type KeyListener,
  OPEN_BRACE,
  OPEN_BRACKET,
  requireEnd,
  skipArray,
  skipBlanks,
  skipObject,
  skipValue,
} from './json-text.ts';

/** The outside of a JSON text. Keys are those of the (first) object, in their order, each once. */
export type JsonRows =
  | { kind: 'object'; keys: readonly string[] }
  /** `isEven`: whether all elements are objects with the same keys. */
  | { kind: 'array'; length: number; keys: readonly string[]; isEven: boolean }
  | { kind: 'scalar' };

/**
 * Looks at the outside of a JSON text.
 * @throws JsonScanError where it is no JSON in UTF-8, or is nested too deeply
 */
export function scanJsonRows(bytes: Buffer): JsonRows {
  if (!isUtf8(bytes)) throw new JsonScanError('The JSON is not valid UTF-8.');
  const start = skipBlanks(bytes, 0);
  if (bytes[start] === OPEN_BRACKET) return readList(bytes, start);
  const keys = bytes[start] === OPEN_BRACE ? new KeySet(bytes) : undefined;
  requireEnd(bytes, keys ? skipObject(bytes, start, 1, keys) : skipValue(bytes, start, 1));
  return keys ? { kind: 'object', keys: keys.names } : { kind: 'scalar' };
}

function readList(bytes: Buffer, start: number): JsonRows {
  const keys = new KeySet(bytes);
  let length = 0;
  let isEven = true;
  const end = skipArray(bytes, start, (item) => {
    length++;
    if (bytes[item] !== OPEN_BRACE) {
      isEven = false;
      return skipValue(bytes, item, 2);
    }
    keys.beginRow(length === 1);
    // Once two rows differ, nobody asks for the keys of the others.
    const itemEnd = skipObject(bytes, item, 2, isEven ? keys : undefined);
    isEven &&= keys.isRowEven();
    return itemEnd;
  });
  requireEnd(bytes, end);
  return { kind: 'array', length, keys: keys.names, isEven };
}

/** More names are not told: no relation has so many columns, so that one of these is wrong. */
const MAX_NAMES = 2000;

/** The keys of the first row, and whether another one has the same. Rows of one writer have them in one order. */
class KeySet implements KeyListener {
  readonly names: string[] = [];
  readonly #bytes: Buffer;
  readonly #indexes = new Map<string, number>();
  /** Where each key of the first row is in the bytes, with its quotes. */
  readonly #places: (readonly [start: number, end: number])[] = [];
  /** For each key, the last row that had it. */
  readonly #seenInRow: number[] = [];
  #row = 0;
  #isFirst = true;
  #position = 0;
  #found = 0;
  #hasUnknown = false;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  beginRow(isFirst: boolean): void {
    this.#isFirst = isFirst;
    this.#row++;
    this.#position = 0;
    this.#found = 0;
    this.#hasUnknown = false;
  }

  isRowEven(): boolean {
    return this.#isFirst || (!this.#hasUnknown && this.#found === this.names.length);
  }

  add(start: number, end: number): void {
    if (this.#isFirst) {
      this.#addName(start, end);
      return;
    }
    const index = this.#expectedIndex(start, end) ?? this.#indexes.get(this.#decode(start, end));
    if (index === undefined) {
      this.#hasUnknown = true;
      return;
    }
    this.#position = index + 1;
    if (this.#seenInRow[index] === this.#row) return;
    this.#seenInRow[index] = this.#row;
    this.#found++;
  }

  #addName(start: number, end: number): void {
    if (this.names.length > MAX_NAMES) return;
    const name = this.#decode(start, end);
    if (this.#indexes.has(name)) return;
    this.#indexes.set(name, this.names.length);
    this.names.push(name);
    this.#places.push([start, end]);
  }

  /** The key that came next in the first row, where it is the same bytes. Keys are short: no call is quicker. */
  #expectedIndex(start: number, end: number): number | undefined {
    const place = this.#places[this.#position];
    if (place === undefined || place[1] - place[0] !== end - start) return undefined;
    const bytes = this.#bytes;
    for (let at = start, expected = place[0]; at < end; at++, expected++) {
      if (bytes[at] !== bytes[expected]) return undefined;
    }
    return this.#position;
  }

  #decode(start: number, end: number): string {
    const key = this.#bytes.subarray(start, end);
    return key.includes(BACKSLASH) ? JSON.parse(key.toString()) : key.toString('utf8', 1, key.length - 1);
  }
}
