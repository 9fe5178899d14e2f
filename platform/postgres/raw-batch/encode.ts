/** Writes messages to a server one after the other into one buffer (PostgreSQL's documentation, "Message Formats"). */

/**
 * A parameter. Text and bytes are sent in text format, so that the server infers the type; `binary` is in the binary
 * format of the type, which for `bytea` is the bytes themselves.
 */
export type RawValue = string | Uint8Array | null | { binary: Uint8Array };

/** Format codes of results: 0 is text, 1 is binary. One code for all columns, or one for each. */
export type ResultFormats = readonly (0 | 1)[];

const INITIAL_BYTES = 4096;
/**
 * Maximum size of a buffer that is kept for the next flush. Buffers are kept because allocating one for each flush counts
 * against V8's heap, which would then run full collections several times as often.
 */
const MAX_RETAINED_BYTES = 256 * 1024;
/** The number of parameters is an Int16 in the protocol, read as unsigned. */
const MAX_VALUES = 65_535;
/** Longer strings are written by Node.js itself. */
const SHORT_CHARACTERS = 48;
/** Maximum length of one UTF-16 code unit of a JavaScript string in UTF-8. */
const BYTES_PER_CHARACTER = 3;

/** Writes one flush after the other into the same memory. */
export class FlushWriter {
  #bytes = Buffer.allocUnsafeSlow(INITIAL_BYTES);
  #length = 0;

  /** Begins a flush. It overwrites the bytes of the last one, to which the server must have responded. */
  start(): void {
    this.#length = 0;
  }

  /** Prepares `text` as statement `name`; the server infers the types of parameters. */
  parse(name: string, text: string): void {
    // A zero byte would end the text early.
    if (text.includes('\0')) throw new Error('the text of a statement contains a zero byte');
    const start = this.#begin('P');
    this.#cstring(name);
    this.#cstring(text);
    this.#int16(0);
    this.#end(start);
  }

  /** Binds the unnamed portal. */
  bind(name: string, values: readonly RawValue[], formats: ResultFormats): void {
    if (values.length > MAX_VALUES) throw new Error(`a statement has more than ${MAX_VALUES} parameters`);
    const start = this.#begin('B');
    this.#cstring('');
    this.#cstring(name);
    this.#valueFormats(values);
    this.#int16(values.length);
    for (const value of values) this.#value(value);
    this.#int16(formats.length);
    for (const format of formats) this.#int16(format);
    this.#end(start);
  }

  /** Requests the columns of the unnamed portal. */
  describe(): void {
    const start = this.#begin('D');
    this.#byte('P');
    this.#cstring('');
    this.#end(start);
  }

  /** Runs the unnamed portal. @param maxRows number of rows after which it is suspended; 0 for no limit */
  execute(maxRows = 0): void {
    const start = this.#begin('E');
    this.#cstring('');
    this.#int32(maxRows);
    this.#end(start);
  }

  /** Ends a COPY FROM STDIN with an error. */
  copyFail(message: string): void {
    const start = this.#begin('f');
    this.#cstring(message);
    this.#end(start);
  }

  /** Deallocates a prepared statement. */
  close(name: string): void {
    const start = this.#begin('C');
    this.#byte('S');
    this.#cstring(name);
    this.#end(start);
  }

  /** Ends a segment. */
  sync(): void {
    this.#end(this.#begin('S'));
  }

  /** Returns the bytes written since `start`; they are valid until the next `start`. */
  finish(): Buffer {
    const written = this.#bytes.subarray(0, this.#length);
    if (this.#bytes.length > MAX_RETAINED_BYTES) this.#bytes = Buffer.allocUnsafeSlow(INITIAL_BYTES);
    return written;
  }

  #valueFormats(values: readonly RawValue[]): void {
    // Zero format codes mean that all values are text.
    if (!values.some(isBinary)) {
      this.#int16(0);
      return;
    }
    this.#int16(values.length);
    for (const value of values) this.#int16(isBinary(value) ? 1 : 0);
  }

  #value(value: RawValue): void {
    const lengthAt = this.#length;
    this.#int32(-1);
    if (value === null) return;
    if (typeof value === 'string') this.#text(value);
    else this.#raw(isBinary(value) ? value.binary : value);
    this.#bytes.writeInt32BE(this.#length - lengthAt - 4, lengthAt);
  }

  #begin(type: string): number {
    this.#byte(type);
    const start = this.#length;
    this.#int32(0);
    return start;
  }

  #end(start: number): void {
    this.#bytes.writeInt32BE(this.#length - start, start);
  }

  #byte(character: string): void {
    this.#ensure(1);
    this.#bytes[this.#length++] = character.charCodeAt(0);
  }

  #int16(value: number): void {
    this.#ensure(2);
    this.#bytes[this.#length++] = value >>> 8;
    this.#bytes[this.#length++] = value;
  }

  #int32(value: number): void {
    this.#ensure(4);
    this.#length = this.#bytes.writeInt32BE(value, this.#length);
  }

  #cstring(text: string): void {
    this.#text(text);
    this.#ensure(1);
    this.#bytes[this.#length++] = 0;
  }

  #text(text: string): void {
    this.#ensure(text.length * BYTES_PER_CHARACTER);
    if (text.length > SHORT_CHARACTERS || !this.#shortAscii(text)) {
      this.#length += this.#bytes.write(text, this.#length);
    }
  }

  /**
   * For a few characters, a call out of JavaScript costs more than copying them. Returns false if a character needs
   * more than one byte.
   */
  #shortAscii(text: string): boolean {
    const bytes = this.#bytes;
    const start = this.#length;
    for (let i = 0; i < text.length; i += 1) {
      const code = text.charCodeAt(i);
      if (code > 0x7f) return false;
      bytes[start + i] = code;
    }
    this.#length = start + text.length;
    return true;
  }

  #raw(bytes: Uint8Array): void {
    this.#ensure(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  #ensure(more: number): void {
    const needed = this.#length + more;
    if (needed <= this.#bytes.length) return;
    // Adds room for the messages that follow a large value, so that they do not cause it to be copied again.
    const larger = Buffer.allocUnsafeSlow(Math.max(needed + INITIAL_BYTES, this.#bytes.length * 2));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}

function isBinary(value: RawValue): value is { binary: Uint8Array } {
  return typeof value === 'object' && value !== null && 'binary' in value;
}
