/**
 * Converts CSV (RFC 4180) to JSON. The first line has the names of the columns. The field `NULL` becomes null, any other
 * field a string, which PostgreSQL converts to the type of the column.
 */
import { MAX_KEY_BYTES, MAX_NAMES, MAX_ROWS, STEP_BYTES, TooManyRowsError } from './body-limits.ts';
import { JsonWriter } from './json-writer.ts';
import type { Sliced } from './slices.ts';

/** The text is not CSV, or its lines differ in the number of fields. The message is for the client. */
export class CsvError extends Error {
  override readonly name = 'CsvError';
}

interface CsvRows {
  columns: readonly string[];
  rowCount: number;
  /** A list of objects. */
  json: Buffer;
}

/** The JSON repeats the names of all columns in each row, so it may be thousands of times as long as the CSV. */
const MAX_JSON_BYTES = 64 * 1024 * 1024;

/** For a larger CSV, memory for the longest possible JSON is allocated at the start. */
const LARGE_BYTES = 1024 * 1024;
/** Additional memory for the output of one row, because the length is checked after each row. */
const SPARE_BYTES = 1024 * 1024;

const NEWLINE = 0x0a;
const RETURN = 0x0d;
const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const NULL_TEXT = Buffer.from('NULL');
const NULL = Buffer.from('null');

/** Converts a CSV in UTF-8. Skips empty lines. Throws {@link CsvError} and {@link TooManyRowsError}. */
export function* csvToJson(bytes: Buffer): Sliced<CsvRows> {
  const reader = new CsvReader(bytes);
  while (reader.skipEmptyLines()) yield;
  const columns = readHeader(reader);
  const keys = columns.map((column) => Buffer.from(`${JSON.stringify(column)}:`));
  // The operating system does not provide allocated memory before it is written, and growing the buffer would copy it.
  const json = new JsonWriter(bytes.length > LARGE_BYTES ? MAX_JSON_BYTES + SPARE_BYTES : bytes.length * 4);
  json.byte(OPEN_BRACKET);
  let rowCount = 0;
  let yieldAt = STEP_BYTES;
  const emit = (start: number, end: number) => json.characters(bytes, start, end);
  for (;;) {
    while (reader.skipEmptyLines()) yield;
    if (!reader.beginRecord()) break;
    if (rowCount === MAX_ROWS) throw new TooManyRowsError();
    if (rowCount > 0) json.byte(COMMA);
    rowCount += 1;
    json.byte(OPEN_BRACE);
    for (const [index, key] of keys.entries()) {
      if (index > 0) {
        requireSameLength(reader.skipComma());
        json.byte(COMMA);
      }
      json.raw(key);
      reader.beginField();
      if (reader.skipNull()) json.raw(NULL);
      else {
        json.byte(QUOTE);
        while (reader.readSegment(emit)) {
          if (json.length >= yieldAt) {
            yieldAt = json.length + STEP_BYTES;
            yield;
          }
        }
        json.byte(QUOTE);
      }
    }
    requireSameLength(!reader.skipComma());
    reader.endRecord();
    json.byte(CLOSE_BRACE);
    if (json.length > MAX_JSON_BYTES)
      throw new CsvError('The CSV has too many lines for the length of its column names.');
    if (json.length < yieldAt) continue;
    yieldAt = json.length + STEP_BYTES;
    yield;
  }
  json.byte(CLOSE_BRACKET);
  return { columns: [...new Set(columns)], rowCount, json: json.finish() };
}

function readHeader(reader: CsvReader): string[] {
  if (!reader.beginRecord()) throw new CsvError('The CSV has no header line.');
  const names: string[] = [];
  do {
    if (names.length === MAX_NAMES) throw new CsvError(`The CSV has more than ${MAX_NAMES} columns.`);
    names.push(reader.readName());
  } while (reader.skipComma());
  reader.endRecord();
  return names;
}

function requireSameLength(isSame: boolean): void {
  if (!isSame) throw new CsvError('All lines must have same number of fields');
}

class CsvReader {
  readonly #bytes: Buffer;
  #at = 0;
  #isQuoted = false;
  /** Number of the first line of the record, from 1. */
  #line = 0;
  #lineOfNext = 1;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** Skips empty lines for one step. Returns whether more of them may follow. */
  skipEmptyLines(): boolean {
    const end = this.#at + STEP_BYTES;
    while (this.#skipLineEnd()) if (this.#at >= end) return true;
    return false;
  }

  /** Begins a record after empty lines were skipped. Returns false at the end of the text. */
  beginRecord(): boolean {
    this.#line = this.#lineOfNext;
    return this.#at < this.#bytes.length;
  }

  endRecord(): void {
    const isEnd = this.#at >= this.#bytes.length;
    if (!isEnd && !this.#skipLineEnd()) throw new CsvError(`Line ${this.#line} has a quote inside a field.`);
  }

  skipComma(): boolean {
    if (this.#bytes[this.#at] !== COMMA) return false;
    this.#at += 1;
    return true;
  }

  beginField(): void {
    this.#isQuoted = this.#bytes[this.#at] === QUOTE;
    if (this.#isQuoted) this.#at += 1;
  }

  /** Skips the current field if it is `NULL`, quoted or not. Returns whether it was. */
  skipNull(): boolean {
    const bytes = this.#bytes;
    for (let i = 0; i < NULL_TEXT.length; i += 1) if (bytes[this.#at + i] !== NULL_TEXT[i]) return false;
    const end = this.#at + NULL_TEXT.length;
    if (this.#isQuoted ? bytes[end] !== QUOTE || bytes[end + 1] === QUOTE : !isFieldEnd(bytes[end]))
      return false;
    this.#at = this.#isQuoted ? end + 1 : end;
    return true;
  }

  /** Passes the next bytes of the field to `emit`. Returns false after the last bytes. */
  readSegment(emit: (start: number, end: number) => void): boolean {
    return this.#isQuoted ? this.#readQuoted(emit) : this.#readPlain(emit);
  }

  /** Reads a whole field as the name of a column. */
  readName(): string {
    const segments: Buffer[] = [];
    let length = 0;
    this.beginField();
    const emit = (start: number, end: number) => {
      length += end - start;
      if (length > MAX_KEY_BYTES) throw new CsvError('The CSV has a column name that is too long.');
      segments.push(this.#bytes.subarray(start, end));
    };
    while (this.readSegment(emit));
    return Buffer.concat(segments).toString();
  }

  #readPlain(emit: (start: number, end: number) => void): boolean {
    const bytes = this.#bytes;
    const start = this.#at;
    const end = Math.min(start + STEP_BYTES, bytes.length);
    let at = start;
    while (at < end && !isFieldEnd(bytes[at])) at += 1;
    emit(start, at);
    this.#at = at;
    return at === end && at < bytes.length;
  }

  /** In a quoted field, a quote is escaped by doubling it. */
  #readQuoted(emit: (start: number, end: number) => void): boolean {
    const bytes = this.#bytes;
    const start = this.#at;
    const end = Math.min(start + STEP_BYTES, bytes.length);
    let at = start;
    while (at < end && bytes[at] !== QUOTE) {
      if (bytes[at] === NEWLINE) this.#lineOfNext += 1;
      at += 1;
    }
    if (at === bytes.length) throw new CsvError(`Line ${this.#line} has an unclosed quote.`);
    if (at === end) {
      emit(start, at);
      this.#at = at;
      return true;
    }
    const isDoubled = bytes[at + 1] === QUOTE;
    emit(start, isDoubled ? at + 1 : at);
    this.#at = isDoubled ? at + 2 : at + 1;
    return isDoubled;
  }

  #skipLineEnd(): boolean {
    const start = this.#at;
    if (this.#bytes[this.#at] === RETURN) this.#at += 1;
    if (this.#bytes[this.#at] === NEWLINE) this.#at += 1;
    if (this.#at === start) return false;
    this.#lineOfNext += 1;
    return true;
  }
}

/** @param byte undefined at the end of the text */
function isFieldEnd(byte: number | undefined): boolean {
  return byte === undefined || byte === COMMA || byte === NEWLINE || byte === RETURN || byte === QUOTE;
}
