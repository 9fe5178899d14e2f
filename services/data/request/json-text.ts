/**
 * A scanner for JSON (RFC 8259) that works on bytes and builds no values. It is resumable, so the caller can read a large
 * text in slices.
 */

/** Maximum nesting depth. It is far more than clients need, and far less than PostgreSQL's stack allows. */
export const MAX_JSON_DEPTH = 512;

/** The text is not valid JSON. The message has the reason and never quotes the text. */
export class JsonScanError extends Error {
  override readonly name = 'JsonScanError';
}

/** Receives the outer structure of a text: its rows and their keys. */
export interface RowListener {
  /** The outermost value begins. */
  begin(kind: 'array' | 'object' | 'scalar'): void;
  /** An element of the outermost array begins. */
  beginElement(isObject: boolean): void;
  /** A key of the outermost object, or of an element of the outermost array; the range includes the quotes. */
  key(start: number, end: number): void;
  /** An object that is an element of the outermost array has ended. */
  endElement(): void;
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
/** Begins an escape in a string. */
export const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const LOWER_E = 0x65;
const LOWER_U = 0x75;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

const LITERALS = new Map(['true', 'false', 'null'].map((word) => [word.charCodeAt(0), Buffer.from(word)]));

/** The states of the scanner: the tokens that may come next. */
const VALUE = 0;
const VALUE_OR_CLOSE = 1;
const KEY = 2;
const KEY_OR_CLOSE = 3;
const COLON_NEXT = 4;
const COMMA_OR_CLOSE = 5;
const END = 6;
const IN_KEY = 7;
const IN_STRING = 8;

/** Scans one JSON text. */
export class JsonScanner {
  readonly #bytes: Buffer;
  readonly #listener: RowListener;
  /** The opening brackets of the containers around the current position, outermost first. */
  readonly #containers: number[] = [];
  #depth = 0;
  #state = VALUE;
  #at = 0;
  #keyStart = 0;

  constructor(bytes: Buffer, listener: RowListener) {
    this.#bytes = bytes;
    this.#listener = listener;
  }

  /**
   * Reads about `count` more bytes. Does not stop inside a number or a literal.
   * @returns whether the text has ended
   * @throws JsonScanError, and the errors of the listener
   */
  read(count: number): boolean {
    const bytes = this.#bytes;
    const containers = this.#containers;
    const end = Math.min(this.#at + count, bytes.length);
    // The loop uses local variables because it is twice as fast as with fields, which matters for bulk inserts.
    let at = this.#at;
    let state = this.#state;
    let depth = this.#depth;
    while (at < end) {
      const byte = bytes[at] as number;
      if (byte <= SPACE && state < IN_KEY) {
        if (!isBlank(byte)) throw unexpected(bytes, at);
        at += 1;
        continue;
      }
      switch (state) {
        // An empty container is closed in the state after a value, like any other container.
        case VALUE_OR_CLOSE:
        case VALUE:
          if (byte === CLOSE_BRACKET && state === VALUE_OR_CLOSE) {
            state = COMMA_OR_CLOSE;
            break;
          }
          if (depth === MAX_JSON_DEPTH) throw new JsonScanError('The JSON is nested too deeply.');
          if (depth < 2) this.#reportValue(byte, depth);
          if (byte === QUOTE) {
            at += 1;
            state = IN_STRING;
          } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
            containers[depth] = byte;
            depth += 1;
            at += 1;
            state = byte === OPEN_BRACE ? KEY_OR_CLOSE : VALUE_OR_CLOSE;
          } else {
            at = byte === MINUS || isDigit(byte) ? skipNumber(bytes, at) : skipLiteral(bytes, at);
            state = depth === 0 ? END : COMMA_OR_CLOSE;
          }
          break;
        case COMMA_OR_CLOSE:
          if (byte === COMMA) {
            state = containers[depth - 1] === OPEN_BRACE ? KEY : VALUE;
          } else {
            // In ASCII, the code of each closing bracket is that of the opening one plus 2.
            if (byte !== (containers[depth - 1] as number) + 2) throw unexpected(bytes, at);
            depth -= 1;
            state = depth === 0 ? END : COMMA_OR_CLOSE;
            if (depth === 1) this.#reportEnd(byte);
          }
          at += 1;
          break;
        case KEY_OR_CLOSE:
        case KEY:
          if (byte === QUOTE) {
            this.#keyStart = at;
            at += 1;
            state = IN_KEY;
          } else {
            if (byte !== CLOSE_BRACE || state === KEY) throw unexpected(bytes, at);
            state = COMMA_OR_CLOSE;
          }
          break;
        case IN_KEY:
        case IN_STRING:
          at = skipCharacters(bytes, at, end);
          if (at >= end) break;
          at += 1;
          if (state === IN_KEY && depth <= 2) this.#reportKey(at, depth);
          state = state === IN_KEY ? COLON_NEXT : depth === 0 ? END : COMMA_OR_CLOSE;
          break;
        case COLON_NEXT:
          if (byte !== COLON) throw unexpected(bytes, at);
          at += 1;
          state = VALUE;
          break;
        default:
          throw unexpected(bytes, at);
      }
    }
    this.#at = at;
    this.#state = state;
    this.#depth = depth;
    if (at < bytes.length) return false;
    if (state !== END) throw unexpected(bytes, bytes.length);
    return true;
  }

  #reportValue(byte: number, depth: number): void {
    if (depth === 0) {
      this.#listener.begin(byte === OPEN_BRACKET ? 'array' : byte === OPEN_BRACE ? 'object' : 'scalar');
    } else if (this.#containers[0] === OPEN_BRACKET) {
      this.#listener.beginElement(byte === OPEN_BRACE);
    }
  }

  #reportKey(end: number, depth: number): void {
    if (depth === 1 || this.#containers[0] === OPEN_BRACKET) this.#listener.key(this.#keyStart, end);
  }

  /** Reports the end of a container at depth 1. */
  #reportEnd(byte: number): void {
    if (byte === CLOSE_BRACE && this.#containers[0] === OPEN_BRACKET) this.#listener.endElement();
  }
}

function isBlank(byte: number): boolean {
  return byte === SPACE || byte === NEWLINE || byte === RETURN || byte === TAB;
}

/** Skips characters of a string up to its closing quote or to `end`; an escape may exceed `end` by a few bytes. */
function skipCharacters(bytes: Buffer, start: number, end: number): number {
  let at = start;
  while (at < end) {
    const byte = bytes[at] as number;
    if (byte === QUOTE) return at;
    if (byte === BACKSLASH) at = skipEscape(bytes, at);
    else if (byte >= SPACE) at += 1;
    else throw unexpected(bytes, at);
  }
  return at;
}

function skipEscape(bytes: Buffer, backslash: number): number {
  const letter = bytes[backslash + 1];
  if (letter === LOWER_U) {
    for (let at = backslash + 2; at < backslash + 6; at++) {
      if (!isHexDigit(bytes[at])) throw unexpected(bytes, at);
    }
    return backslash + 6;
  }
  if (!isEscape(letter)) throw unexpected(bytes, backslash + 1);
  return backslash + 2;
}

/** Whether the byte is one of `"\/bfnrt`. */
function isEscape(letter: number | undefined): boolean {
  switch (letter) {
    case QUOTE:
    case BACKSLASH:
    case 0x2f:
    case 0x62:
    case 0x66:
    case 0x6e:
    case 0x72:
    case 0x74:
      return true;
    default:
      return false;
  }
}

function skipNumber(bytes: Buffer, start: number): number {
  let at = bytes[start] === MINUS ? start + 1 : start;
  at = bytes[at] === ZERO ? at + 1 : skipDigits(bytes, at);
  if (bytes[at] === DOT) at = skipDigits(bytes, at + 1);
  const exponent = bytes[at];
  if (exponent !== LOWER_E && exponent !== UPPER_E) return at;
  const sign = bytes[at + 1];
  return skipDigits(bytes, sign === PLUS || sign === MINUS ? at + 2 : at + 1);
}

/** Skips one or more digits; throws if there are none. */
function skipDigits(bytes: Buffer, start: number): number {
  let at = start;
  while (isDigit(bytes[at])) at++;
  if (at === start) throw unexpected(bytes, at);
  return at;
}

function skipLiteral(bytes: Buffer, start: number): number {
  const word = LITERALS.get(bytes[start] ?? 0);
  if (word === undefined) throw unexpected(bytes, start);
  let at = start;
  for (const byte of word) {
    if (bytes[at] !== byte) throw unexpected(bytes, at);
    at++;
  }
  return at;
}

function unexpected(bytes: Buffer, at: number): JsonScanError {
  const isAtEnd = at >= bytes.length;
  return new JsonScanError(isAtEnd ? 'The JSON ends too early.' : `The JSON is not valid at byte ${at}.`);
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= ZERO && byte <= NINE;
}

function isHexDigit(byte: number | undefined): boolean {
  return byte !== undefined && (isDigit(byte) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66));
}
