/**
 * Determines the outer structure of a JSON text: whether it is an object or a list, and which keys the objects have. One
 * pass over the bytes validates the grammar (RFC 8259) without building values. Bodies are passed to PostgreSQL unchanged,
 * which preserves long numbers, the order of keys, and keys such as `__proto__`.
 */
import { isUtf8 } from 'node:buffer';
import { MAX_KEY_BYTES, MAX_NAMES, MAX_ROWS, STEP_BYTES, TooManyRowsError } from './body-limits.ts';
import { BACKSLASH, JsonScanError, JsonScanner, type RowListener } from './json-text.ts';
import type { Sliced } from './slices.ts';

/** The outer structure of a JSON text. `keys` are the distinct keys of the (first) object, in their order. */
export type JsonRows =
  | { kind: 'object'; keys: readonly string[] }
  /** `hasSameKeys`: whether all elements are objects with the same keys. */
  | { kind: 'array'; length: number; keys: readonly string[]; hasSameKeys: boolean }
  | { kind: 'scalar' };

/**
 * Scans a JSON text and returns its outer structure.
 * @throws JsonScanError if it is not JSON in UTF-8, is nested too deeply, or has a key that is too long
 * @throws TooManyRowsError
 */
export function* scanJsonRows(bytes: Buffer): Sliced<JsonRows> {
  if (!isUtf8(bytes)) throw new JsonScanError('The JSON is not valid UTF-8.');
  const rows = new RowReader(bytes);
  const scanner = new JsonScanner(bytes, rows);
  while (!scanner.read(STEP_BYTES)) yield;
  return rows.result();
}

/** Counts rows and compares their keys. */
class RowReader implements RowListener {
  readonly #keys: KeySet;
  #kind: JsonRows['kind'] = 'scalar';
  #length = 0;
  #hasSameKeys = true;

  constructor(bytes: Buffer) {
    this.#keys = new KeySet(bytes);
  }

  begin(kind: JsonRows['kind']): void {
    this.#kind = kind;
  }

  beginElement(isObject: boolean): void {
    this.#length += 1;
    if (this.#length > MAX_ROWS) throw new TooManyRowsError();
    if (isObject) this.#keys.beginRow(this.#length === 1);
    else this.#hasSameKeys = false;
  }

  key(start: number, end: number): void {
    if (end - start > MAX_KEY_BYTES) throw new JsonScanError('The JSON has a key that is too long.');
    // Once two rows differ, the keys of the following rows do not matter.
    if (this.#hasSameKeys) this.#keys.add(start, end);
  }

  endElement(): void {
    this.#hasSameKeys &&= this.#keys.hasRowSameKeys();
  }

  result(): JsonRows {
    const { names } = this.#keys;
    switch (this.#kind) {
      case 'array':
        return { kind: 'array', length: this.#length, keys: names, hasSameKeys: this.#hasSameKeys };
      case 'object':
        return { kind: 'object', keys: names };
      case 'scalar':
        return { kind: 'scalar' };
    }
  }
}

/**
 * Stores the keys of the first row and compares the keys of each following row with them. It is fast for rows with the same
 * order of keys, since one program usually writes all rows.
 */
class KeySet {
  readonly names: string[] = [];
  readonly #bytes: Buffer;
  readonly #indexes = new Map<string, number>();
  /** Indexes by the undecoded bytes of a key: escapes allow several encodings of the same key. */
  readonly #encodings = new Map<string, number>();
  /** Byte range of each key of the first row, including the quotes. */
  readonly #ranges: (readonly [start: number, end: number])[] = [];
  /** Number of the last row that had the key, by index of the key. */
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

  hasRowSameKeys(): boolean {
    return this.#isFirst || (!this.#hasUnknown && this.#found === this.names.length);
  }

  add(start: number, end: number): void {
    if (this.#isFirst) {
      this.#addName(start, end);
      return;
    }
    if (this.#hasUnknown) return;
    const index = this.#expectedIndex(start, end) ?? this.#findIndex(start, end);
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
    this.#ranges.push([start, end]);
  }

  /**
   * Returns the next index if the key has the same bytes as that key of the first row. For short keys, a loop is
   * fastest.
   */
  #expectedIndex(start: number, end: number): number | undefined {
    const range = this.#ranges[this.#position];
    if (range === undefined || range[1] - range[0] !== end - start) return undefined;
    const bytes = this.#bytes;
    for (let at = start, expected = range[0]; at < end; at++, expected++) {
      if (bytes[at] !== bytes[expected]) return undefined;
    }
    return this.#position;
  }

  /** Decodes each spelling of a key once: rows usually repeat the same few spellings. */
  #findIndex(start: number, end: number): number | undefined {
    const encoded = this.#bytes.toString('latin1', start, end);
    const known = this.#encodings.get(encoded);
    if (known !== undefined) return known;
    const index = this.#indexes.get(this.#decode(start, end));
    if (index !== undefined && this.#encodings.size < MAX_NAMES) this.#encodings.set(encoded, index);
    return index;
  }

  #decode(start: number, end: number): string {
    const key = this.#bytes.subarray(start, end);
    return key.includes(BACKSLASH) ? JSON.parse(key.toString()) : key.toString('utf8', 1, key.length - 1);
  }
}
