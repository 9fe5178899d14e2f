/**
 * What a JSON text has on its outside: is it one object or a list, and which keys do the objects have? Found by one
 * pass over the bytes that checks the grammar (RFC 8259) and builds no values: bodies go to PostgreSQL as they came,
 * which keeps long numbers, the order of keys, and names such as `__proto__` as they are.
 */
import { isUtf8 } from 'node:buffer';
import { MAX_KEY_BYTES, MAX_NAMES, MAX_ROWS, STEP_BYTES, TooManyRowsError } from './body-limits.ts';
import { BACKSLASH, JsonScanError, JsonScanner, type RowListener } from './json-text.ts';
import type { Sliced } from './slices.ts';

/** The outside of a JSON text. Keys are those of the (first) object, in their order, each once. */
export type JsonRows =
  | { kind: 'object'; keys: readonly string[] }
  /** `isEven`: whether all elements are objects with the same keys. */
  | { kind: 'array'; length: number; keys: readonly string[]; isEven: boolean }
  | { kind: 'scalar' };

/**
 * Looks at the outside of a JSON text.
 * @throws JsonScanError where it is no JSON in UTF-8, is nested too deeply or has a key that is too long
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
  #isEven = true;

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
    else this.#isEven = false;
  }

  key(start: number, end: number): void {
    if (end - start > MAX_KEY_BYTES) throw new JsonScanError('The JSON has a key that is too long.');
    // Once two rows differ, the keys of the others do not matter.
    if (this.#isEven) this.#keys.add(start, end);
  }

  endElement(): void {
    this.#isEven &&= this.#keys.isRowEven();
  }

  result(): JsonRows {
    const { names } = this.#keys;
    switch (this.#kind) {
      case 'array':
        return { kind: 'array', length: this.#length, keys: names, isEven: this.#isEven };
      case 'object':
        return { kind: 'object', keys: names };
      case 'scalar':
        return { kind: 'scalar' };
    }
  }
}

/** The keys of the first row, and whether another one has the same. Rows of one writer have them in one order. */
class KeySet {
  readonly names: string[] = [];
  readonly #bytes: Buffer;
  readonly #indexes = new Map<string, number>();
  /** By the bytes of a key as they were sent. */
  readonly #spellings = new Map<string, number>();
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

  /** Rows of one writer spell their keys alike, so each spelling is decoded once. */
  #findIndex(start: number, end: number): number | undefined {
    const spelling = this.#bytes.toString('latin1', start, end);
    const known = this.#spellings.get(spelling);
    if (known !== undefined) return known;
    const index = this.#indexes.get(this.#decode(start, end));
    if (index !== undefined && this.#spellings.size < MAX_NAMES) this.#spellings.set(spelling, index);
    return index;
  }

  #decode(start: number, end: number): string {
    const key = this.#bytes.subarray(start, end);
    return key.includes(BACKSLASH) ? JSON.parse(key.toString()) : key.toString('utf8', 1, key.length - 1);
  }
}
