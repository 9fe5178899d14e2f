/**
 * What a JSON text has on its outside: is it one object or a list, and which keys do the objects have? Found by one
 * pass over the bytes that checks the grammar (RFC 8259) and builds no values: bodies go to PostgreSQL as they came,
 * which keeps long numbers, the order of keys, and names such as `__proto__` as they are.
 */
import { isUtf8 } from 'node:buffer';

/** The outside of a JSON text. Keys are those of the (first) object, in their order, each once. */
export type JsonRows =
  | { kind: 'object'; keys: readonly string[] }
  /** `isEven`: whether all elements are objects with the same keys. */
  | { kind: 'array'; length: number; keys: readonly string[]; isEven: boolean }
  | { kind: 'scalar' };

/** How deep values may be nested. Far deeper than any client goes, and far from what exhausts PostgreSQL's stack. */
export const MAX_JSON_DEPTH = 512;

/** The text is no JSON; the message says why, and never quotes it. */
export class JsonScanError extends Error {
  override readonly name = 'JsonScanError';
}

/**
 * Looks at the outside of a JSON text.
 * @throws JsonScanError where it is no JSON in UTF-8, or is nested too deeply
 */
export function scanJsonRows(bytes: Buffer): JsonRows {
  if (!isUtf8(bytes)) throw new JsonScanError('The JSON is not valid UTF-8.');
  const scanner = new Scanner(bytes);
  const rows = scanner.readRows();
  scanner.requireEnd();
  return rows;
}

const TAB = 0x09;
const NEWLINE = 0x0a;
const RETURN = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const PLUS = 0x2b;
const COMMA = 0x2c;
const MINUS = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const UPPER_E = 0x45;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const LOWER_E = 0x65;
const LOWER_U = 0x75;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

const ESCAPES = new Set(Buffer.from('"\\/bfnrt'));
const LITERALS = new Map(['true', 'false', 'null'].map((word) => [word.charCodeAt(0), Buffer.from(word)]));

/** Reads from a place in the bytes on. Every method leaves the place behind what it read. */
class Scanner {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  readRows(): JsonRows {
    switch (this.#next()) {
      case OPEN_BRACE: {
        const keys = new KeySet(this.#bytes);
        this.#skipObject(1, keys);
        return { kind: 'object', keys: keys.names };
      }
      case OPEN_BRACKET:
        return this.#readList();
      default:
        this.#skipValue(1);
        return { kind: 'scalar' };
    }
  }

  requireEnd(): void {
    if (this.#next() !== undefined) throw this.#unexpected();
  }

  #readList(): JsonRows {
    const keys = new KeySet(this.#bytes);
    let length = 0;
    let isEven = true;
    this.#skipItems(CLOSE_BRACKET, () => {
      length++;
      if (this.#next() !== OPEN_BRACE) {
        isEven = false;
        this.#skipValue(2);
        return;
      }
      keys.beginRow(length === 1);
      // Once two rows differ, nobody asks for the keys of the others.
      this.#skipObject(2, isEven ? keys : undefined);
      isEven &&= keys.isRowEven();
    });
    return { kind: 'array', length, keys: keys.names, isEven };
  }

  #skipValue(depth: number): void {
    if (depth > MAX_JSON_DEPTH) throw new JsonScanError('The JSON is nested too deeply.');
    const first = this.#next();
    if (first === OPEN_BRACE) this.#skipObject(depth, undefined);
    else if (first === OPEN_BRACKET) this.#skipItems(CLOSE_BRACKET, () => this.#skipValue(depth + 1));
    else if (first === QUOTE) this.#skipString();
    else if (first === MINUS || isDigit(first)) this.#skipNumber();
    else this.#skipLiteral();
  }

  #skipObject(depth: number, keys: KeySet | undefined): void {
    this.#skipItems(CLOSE_BRACE, () => {
      if (this.#next() !== QUOTE) throw this.#unexpected();
      const start = this.#at;
      const hasEscapes = this.#skipString();
      keys?.add(start, this.#at, hasEscapes);
      if (this.#next() !== COLON) throw this.#unexpected();
      this.#at++;
      this.#skipValue(depth + 1);
    });
  }

  /** What stands between brackets or braces, separated by commas. */
  #skipItems(close: number, skipItem: () => void): void {
    this.#at++;
    if (this.#next() === close) {
      this.#at++;
      return;
    }
    for (;;) {
      skipItem();
      const next = this.#next();
      if (next !== COMMA && next !== close) throw this.#unexpected();
      this.#at++;
      if (next === close) return;
    }
  }

  /** Whether the string has escapes. Most bytes of a body are in strings, hence the local variables. */
  #skipString(): boolean {
    const bytes = this.#bytes;
    const length = bytes.length;
    let hasEscapes = false;
    let at = this.#at + 1;
    while (at < length) {
      const byte = bytes[at] as number;
      if (byte === QUOTE) {
        this.#at = at + 1;
        return hasEscapes;
      }
      if (byte === BACKSLASH) {
        hasEscapes = true;
        at = this.#endOfEscape(at);
      } else if (byte < SPACE) break;
      else at++;
    }
    this.#at = at;
    throw this.#unexpected();
  }

  #endOfEscape(backslash: number): number {
    const letter = this.#bytes[backslash + 1];
    if (letter === LOWER_U) {
      for (let at = backslash + 2; at < backslash + 6; at++) {
        if (!isHexDigit(this.#bytes[at])) throw this.#unexpected(at);
      }
      return backslash + 6;
    }
    if (letter === undefined || !ESCAPES.has(letter)) throw this.#unexpected(backslash + 1);
    return backslash + 2;
  }

  #skipNumber(): void {
    if (this.#bytes[this.#at] === MINUS) this.#at++;
    if (this.#bytes[this.#at] === ZERO) this.#at++;
    else this.#skipDigits();
    if (this.#bytes[this.#at] === DOT) {
      this.#at++;
      this.#skipDigits();
    }
    const exponent = this.#bytes[this.#at];
    if (exponent === LOWER_E || exponent === UPPER_E) {
      const sign = this.#bytes[++this.#at];
      if (sign === PLUS || sign === MINUS) this.#at++;
      this.#skipDigits();
    }
  }

  #skipDigits(): void {
    if (!isDigit(this.#bytes[this.#at])) throw this.#unexpected();
    while (isDigit(this.#bytes[this.#at])) this.#at++;
  }

  #skipLiteral(): void {
    const word = LITERALS.get(this.#bytes[this.#at] ?? 0);
    if (word === undefined) throw this.#unexpected();
    for (const byte of word) {
      if (this.#bytes[this.#at] !== byte) throw this.#unexpected();
      this.#at++;
    }
  }

  /** The next byte that is no blank; undefined at the end. Stays in front of it. */
  #next(): number | undefined {
    for (;;) {
      const byte = this.#bytes[this.#at];
      if (byte !== SPACE && byte !== NEWLINE && byte !== RETURN && byte !== TAB) return byte;
      this.#at++;
    }
  }

  #unexpected(at = this.#at): JsonScanError {
    const isAtEnd = at >= this.#bytes.length;
    return new JsonScanError(isAtEnd ? 'The JSON ends too early.' : `The JSON is not valid at byte ${at}.`);
  }
}

/** The keys of the first row, and whether another one has the same. Rows of one writer have them in one order. */
class KeySet {
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

  add(start: number, end: number, hasEscapes: boolean): void {
    if (this.#isFirst) {
      this.#addName(start, end, hasEscapes);
      return;
    }
    const index = this.#expectedIndex(start, end) ?? this.#indexes.get(this.#decode(start, end, hasEscapes));
    if (index === undefined) {
      this.#hasUnknown = true;
      return;
    }
    this.#position = index + 1;
    if (this.#seenInRow[index] === this.#row) return;
    this.#seenInRow[index] = this.#row;
    this.#found++;
  }

  #addName(start: number, end: number, hasEscapes: boolean): void {
    const name = this.#decode(start, end, hasEscapes);
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

  #decode(start: number, end: number, hasEscapes: boolean): string {
    if (hasEscapes) return JSON.parse(this.#bytes.toString('utf8', start, end));
    return this.#bytes.toString('utf8', start + 1, end - 1);
  }
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= ZERO && byte <= NINE;
}

function isHexDigit(byte: number | undefined): boolean {
  return byte !== undefined && (isDigit(byte) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66));
}
