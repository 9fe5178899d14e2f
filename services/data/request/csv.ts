/**
 * CSV (RFC 4180) → JSON text. The first line names the columns; `NULL` is null, anything else a text. PostgreSQL makes
 * values of the columns' types of it.
 */

/** The text is no CSV, or its lines are not alike; the message says where. */
export class CsvError extends Error {
  override readonly name = 'CsvError';
}

/** A CSV as a JSON list of objects. */
export interface CsvRows {
  columns: readonly string[];
  rowCount: number;
  json: string;
}

const NULL = 'NULL';
/** Each line repeats the names of all columns, so that the JSON may be thousands of times as long as the CSV. */
const MAX_JSON_CHARACTERS = 64 * 1024 * 1024;

/** Reads a CSV. Empty lines do not count. Throws {@link CsvError}. */
export function csvToJson(text: string): CsvRows {
  const reader = new CsvReader(text);
  const columns = reader.readRecord();
  if (columns === undefined) throw new CsvError('The CSV has no header line.');
  const keys = columns.map((column) => JSON.stringify(column));
  const keysLength = keys.reduce((sum, key) => sum + key.length + 1, 2);
  const rows: string[] = [];
  let characters = 0;
  for (let record = reader.readRecord(); record !== undefined; record = reader.readRecord()) {
    if (record.length !== keys.length) {
      throw new CsvError('All lines must have same number of fields');
    }
    characters += keysLength + record.reduce((sum, field) => sum + field.length + 3, 0);
    if (characters > MAX_JSON_CHARACTERS)
      throw new CsvError('The CSV has too many lines for the names of its columns.');
    rows.push(`{${record.map((field, index) => `${keys[index]}:${jsonOf(field)}`).join(',')}}`);
  }
  return { columns: [...new Set(columns)], rowCount: rows.length, json: `[${rows.join(',')}]` };
}

function jsonOf(field: string): string {
  return field === NULL ? 'null' : JSON.stringify(field);
}

/** Where an unquoted field ends. */
const FIELD_END = /[",\r\n]/g;

class CsvReader {
  readonly #text: string;
  #at = 0;
  /** Number of the line that the last record began on, from 1. */
  line = 0;
  #lineOfNext = 1;

  constructor(text: string) {
    this.#text = text;
  }

  /** The fields of the next line that is not empty; undefined at the end. */
  readRecord(): string[] | undefined {
    while (this.#skipLineEnd());
    if (this.#at >= this.#text.length) return undefined;
    this.line = this.#lineOfNext;
    const fields = [this.#readField()];
    while (this.#text[this.#at] === ',') {
      this.#at++;
      fields.push(this.#readField());
    }
    const isEnd = this.#at >= this.#text.length;
    if (!isEnd && !this.#skipLineEnd())
      throw new CsvError(`Line ${this.line} has a quote inside of a field.`);
    return fields;
  }

  #readField(): string {
    return this.#text[this.#at] === '"' ? this.#readQuoted() : this.#readPlain();
  }

  #readPlain(): string {
    FIELD_END.lastIndex = this.#at;
    const end = FIELD_END.exec(this.#text)?.index ?? this.#text.length;
    const field = this.#text.slice(this.#at, end);
    this.#at = end;
    return field;
  }

  /** A quote inside is doubled. */
  #readQuoted(): string {
    let field = '';
    for (;;) {
      const end = this.#text.indexOf('"', this.#at + 1);
      if (end === -1) throw new CsvError(`Line ${this.line} has a quote that is never closed.`);
      field += this.#text.slice(this.#at + 1, end);
      this.#at = end + 1;
      if (this.#text[this.#at] !== '"') break;
      field += '"';
    }
    this.#lineOfNext += field.split('\n').length - 1;
    return field;
  }

  #skipLineEnd(): boolean {
    const start = this.#at;
    if (this.#text[this.#at] === '\r') this.#at++;
    if (this.#text[this.#at] === '\n') this.#at++;
    if (this.#at === start) return false;
    this.#lineOfNext++;
    return true;
  }
}
