/**
 * Validates JSON (RFC 8259) in bytes without building values, and reports the positions of values. The scan can run in
 * slices, so that a large text does not block the event loop: `JSON.parse` needs half a second for 5 MB of short
 * members.
 */

/** Maximum depth of containers. `JSON.parse` has no such limit, but many other parsers have. */
const MAX_DEPTH = 10_000;

const VALUE = 0;
const FIRST_VALUE = 1;
const KEY = 2;
const FIRST_KEY = 3;
const COLON_NEXT = 4;
const AFTER_VALUE = 5;
const END = 6;
/** Inside a string value or a key. */
const IN_TEXT = 7;
const IN_KEY = 8;
/** Inside the digits of a number: before the decimal point, after it, and in the exponent. */
const IN_INTEGER = 9;
const IN_FRACTION = 10;
const IN_EXPONENT = 11;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const MINUS = 0x2d;
const PLUS = 0x2b;
const DOT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const LOWER_E = 0x65;
const CASE_BIT = 0x20;
const UNICODE_ESCAPE = 0x75;
const LITERALS: Readonly<Record<number, Buffer>> = {
  116: Buffer.from('true'),
  102: Buffer.from('false'),
  110: Buffer.from('null'),
};
/** 1 for unescaped bytes of strings, and 1 for bytes that may follow a backslash. Lookup tables are fast. */
const IS_PLAIN = Uint8Array.from({ length: 256 }, (_, byte) =>
  Number(byte >= 0x20 && byte !== QUOTE && byte !== BACKSLASH),
);
const IS_ESCAPED = Uint8Array.from({ length: 256 }, (_, byte) =>
  Number('"\\/bfnrt'.includes(String.fromCharCode(byte))),
);

/** The position of a value: its first byte, and the byte after its last. */
export interface JsonSpan {
  start: number;
  end: number;
}

/** Called at the end of each value down to a depth: members and elements come before their container. */
type OnJsonValue = (depth: number, span: JsonSpan, key: JsonSpan | undefined) => void;

/** Options of {@link JsonScanner}. */
export interface JsonScannerOptions {
  /** Values are reported down to this depth; the text itself is at depth 0. */
  depth: number;
  onValue: OnJsonValue;
}

/** Scans one JSON text. The bytes must be UTF-8, which the scanner does not check. */
export class JsonScanner {
  readonly #bytes: Buffer;
  readonly #depth: number;
  readonly #onValue: OnJsonValue;
  /** 1 for each open object, 0 for each open array. */
  #containers = new Uint8Array(64);
  #height = 0;
  #at = 0;
  #state = VALUE;
  /** By depth: the start of the open value, and its key. */
  readonly #starts: number[] = [];
  readonly #keys: (JsonSpan | undefined)[] = [];

  constructor(bytes: Buffer, { depth, onValue }: JsonScannerOptions) {
    this.#bytes = bytes;
    this.#depth = depth;
    this.#onValue = onValue;
  }

  /**
   * Scans about `budget` bytes and returns whether the end is reached. Throws a SyntaxError if the bytes are not JSON.
   */
  run(budget: number): boolean {
    const bytes = this.#bytes;
    const stop = Math.min(bytes.length, this.#at + budget);
    let at = this.#at;
    // Local variables and a single loop, because this code runs for each byte.
    while (at < stop) {
      const byte = bytes[at] ?? 0;
      switch (this.#state) {
        case IN_TEXT:
        case IN_KEY:
          while (at < stop && IS_PLAIN[bytes[at] ?? 0] === 1) at += 1;
          if (at < stop) at = this.#special(at, bytes[at] ?? 0);
          break;
        case IN_INTEGER:
        case IN_FRACTION:
        case IN_EXPONENT:
          while (at < stop && isDigit(bytes[at] ?? 0)) at += 1;
          if (at < stop || stop === bytes.length) at = this.#afterDigits(at, bytes[at] ?? 0);
          break;
        default:
          if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) at += 1;
          else at = this.#token(at, byte);
      }
    }
    this.#at = at;
    if (at < bytes.length) return false;
    if (this.#state !== END) this.#fail(at);
    return true;
  }

  /** Handles the byte at `at`. Like the methods below, it returns the position to continue at. */
  #token(at: number, byte: number): number {
    switch (this.#state) {
      case FIRST_VALUE:
        return byte === CLOSE_ARRAY ? this.#close(at) : this.#value(at, byte);
      case VALUE:
        return this.#value(at, byte);
      case FIRST_KEY:
        return byte === CLOSE_OBJECT ? this.#close(at) : this.#key(at, byte);
      case KEY:
        return this.#key(at, byte);
      case COLON_NEXT:
        if (byte !== COLON) this.#fail(at);
        this.#state = VALUE;
        return at + 1;
      case AFTER_VALUE:
        return this.#after(at, byte);
      default:
        return this.#fail(at);
    }
  }

  #value(at: number, byte: number): number {
    if (this.#height <= this.#depth) this.#starts[this.#height] = at;
    if (byte === OPEN_OBJECT) return this.#open(at, 1, FIRST_KEY);
    if (byte === OPEN_ARRAY) return this.#open(at, 0, FIRST_VALUE);
    if (byte === QUOTE) {
      this.#state = IN_TEXT;
      return at + 1;
    }
    const literal = LITERALS[byte];
    if (literal !== undefined) return this.#literal(at, literal);
    return this.#number(at);
  }

  #key(at: number, byte: number): number {
    if (byte !== QUOTE) this.#fail(at);
    if (this.#height <= this.#depth) this.#keys[this.#height] = { start: at, end: at };
    this.#state = IN_KEY;
    return at + 1;
  }

  /** Handles a quote, a backslash or an invalid byte in a string. */
  #special(at: number, byte: number): number {
    if (byte === QUOTE) return this.#endOfText(at + 1);
    if (byte !== BACKSLASH) this.#fail(at);
    const escaped = this.#bytes[at + 1] ?? 0;
    if (IS_ESCAPED[escaped] === 1) return at + 2;
    if (escaped !== UNICODE_ESCAPE) this.#fail(at);
    for (let digit = at + 2; digit < at + 6; digit += 1) {
      if (!isHex(this.#bytes[digit] ?? 0)) this.#fail(at);
    }
    return at + 6;
  }

  #endOfText(end: number): number {
    if (this.#state === IN_TEXT) return this.#ended(end);
    const key = this.#height <= this.#depth ? this.#keys[this.#height] : undefined;
    if (key !== undefined) key.end = end;
    this.#state = COLON_NEXT;
    return end;
  }

  #literal(at: number, literal: Buffer): number {
    const end = at + literal.length;
    const found = this.#bytes.subarray(at, end);
    return literal.equals(found) ? this.#ended(end) : this.#fail(at);
  }

  /** `number = [ minus ] int [ frac ] [ exp ]` (RFC 8259 §6). An integer that begins with zero has no other digits. */
  #number(from: number): number {
    const bytes = this.#bytes;
    const at = bytes[from] === MINUS ? from + 1 : from;
    if (!isDigit(bytes[at] ?? 0)) this.#fail(at);
    this.#state = IN_INTEGER;
    if (bytes[at] === ZERO) return this.#afterDigits(at + 1, bytes[at + 1] ?? 0);
    return this.#digits(at, IN_INTEGER);
  }

  #afterDigits(at: number, byte: number): number {
    if (byte === DOT && this.#state === IN_INTEGER) return this.#digits(at + 1, IN_FRACTION);
    if ((byte | CASE_BIT) === LOWER_E && this.#state !== IN_EXPONENT) {
      const sign = this.#bytes[at + 1];
      return this.#digits(sign === PLUS || sign === MINUS ? at + 2 : at + 1, IN_EXPONENT);
    }
    return this.#ended(at);
  }

  /** Begins a run of digits, which must have at least one. */
  #digits(at: number, state: number): number {
    if (!isDigit(this.#bytes[at] ?? 0)) this.#fail(at);
    this.#state = state;
    // At the last byte of the text the main loop ends, so the number is finished here.
    return at + 1 === this.#bytes.length ? this.#ended(at + 1) : at + 1;
  }

  #after(at: number, byte: number): number {
    const isObject = this.#containers[this.#height - 1] === 1;
    if (byte === COMMA) {
      this.#state = isObject ? KEY : VALUE;
      return at + 1;
    }
    return byte === (isObject ? CLOSE_OBJECT : CLOSE_ARRAY) ? this.#close(at) : this.#fail(at);
  }

  #open(at: number, kind: 0 | 1, state: number): number {
    if (this.#height === MAX_DEPTH) throw new SyntaxError('JSON is nested too deeply');
    if (this.#height === this.#containers.length) {
      const larger = new Uint8Array(this.#height * 2);
      larger.set(this.#containers);
      this.#containers = larger;
    }
    this.#containers[this.#height] = kind;
    this.#height += 1;
    if (this.#height <= this.#depth) this.#keys[this.#height] = undefined;
    this.#state = state;
    return at + 1;
  }

  #close(at: number): number {
    this.#height -= 1;
    return this.#ended(at + 1);
  }

  #ended(end: number): number {
    const height = this.#height;
    this.#state = height === 0 ? END : AFTER_VALUE;
    if (height <= this.#depth) {
      this.#onValue(height, { start: this.#starts[height] ?? 0, end }, this.#keys[height]);
    }
    return end;
  }

  #fail(at: number): never {
    throw new SyntaxError(`JSON is malformed at byte ${at}`);
  }
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= NINE;
}

function isHex(byte: number): boolean {
  const lower = byte | CASE_BIT;
  return isDigit(byte) || (lower >= 0x61 && lower <= 0x66);
}
