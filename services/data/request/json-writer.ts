/** Builds JSON text as bytes, for bodies that clients send in another format. */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
/** Maximum bytes that one byte takes in a JSON string, for example `\u001f`. */
const MAX_ESCAPE_BYTES = 6;
const MIN_BYTES = 4096;

/** Escapes by byte, for the bytes that must be escaped in a JSON string (RFC 8259 §7). */
const ESCAPES: readonly (Buffer | undefined)[] = Array.from({ length: 256 }, (_, byte) => {
  const isEscaped = byte < SPACE || byte === QUOTE || byte === BACKSLASH;
  return isEscaped ? Buffer.from(JSON.stringify(String.fromCharCode(byte)).slice(1, -1)) : undefined;
});

/** Writes into a buffer that grows as needed. */
export class JsonWriter {
  #bytes: Buffer;
  #length = 0;

  /** @param expected approximate length of the text in bytes */
  constructor(expected: number) {
    this.#bytes = Buffer.allocUnsafeSlow(Math.max(expected, MIN_BYTES));
  }

  /** Number of bytes written so far. */
  get length(): number {
    return this.#length;
  }

  /** Writes JSON without escaping. */
  raw(json: Buffer): void {
    this.#ensure(json.length);
    this.#length += json.copy(this.#bytes, this.#length);
  }

  /** Writes one byte of JSON without escaping. */
  byte(byte: number): void {
    this.#ensure(1);
    this.#bytes[this.#length++] = byte;
  }

  /** Writes bytes of UTF-8 as part of a JSON string and escapes them. */
  characters(from: Buffer, start: number, end: number): void {
    this.#ensure((end - start) * MAX_ESCAPE_BYTES);
    const bytes = this.#bytes;
    let to = this.#length;
    for (let at = start; at < end; at += 1) {
      const byte = from[at] as number;
      const escaped = byte > BACKSLASH ? undefined : ESCAPES[byte];
      if (escaped === undefined) bytes[to++] = byte;
      else to += escaped.copy(bytes, to);
    }
    this.#length = to;
  }

  /** Returns the text. Do not use the writer afterwards. */
  finish(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  #ensure(more: number): void {
    const needed = this.#length + more;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}
