/**
 * Finds the places of keys and values in a TOML document, which the parser does not report. The document must be valid: this
 * module only skips values.
 *
 * Grammar (https://toml.io/en/v1.0.0): a document is a sequence of `[table]`, `[[array of tables]]` and
 * `dotted."key" = value`, with comments from `#` to the end of the line.
 */

/** A header of a table. Indexes are those of the document; `end` is behind the last bracket. */
export interface TomlHeader {
  kind: 'header';
  path: readonly string[];
  isArray: boolean;
  start: number;
  end: number;
}

/** A key with its value. */
export interface TomlPair {
  kind: 'pair';
  /** Path from the root of the document. */
  path: readonly string[];
  /** Path of the table, or of the inline table, that contains the pair. */
  table: readonly string[];
  start: number;
  valueStart: number;
  valueEnd: number;
  /** Whether the pair is in an inline table. */
  isInline: boolean;
  /** Whether a list is around it, so that its path is not unique. */
  isInList: boolean;
}

/** Position in a document. */
interface Cursor {
  readonly text: string;
  index: number;
  readonly found: (TomlHeader | TomlPair)[];
}

/** The container of a value. */
interface Container {
  table: readonly string[];
  isInline: boolean;
  isInList: boolean;
}

/** Returns all headers and pairs of a valid document, in the order in which they begin. */
export function scanToml(text: string): (TomlHeader | TomlPair)[] {
  const cursor: Cursor = { text, index: 0, found: [] };
  scanDocument(cursor);
  return cursor.found;
}

function scanDocument(cursor: Cursor): void {
  let container: Container = { table: [], isInline: false, isInList: false };
  for (skipBlank(cursor); cursor.index < cursor.text.length; skipBlank(cursor)) {
    if (cursor.text[cursor.index] !== '[') scanPair(cursor, container);
    else {
      const { path, isArray } = scanHeader(cursor);
      container = { table: path, isInline: false, isInList: isArray };
    }
  }
}

function scanHeader(cursor: Cursor): TomlHeader {
  const start = cursor.index;
  while (cursor.text[cursor.index] === '[') cursor.index++;
  const isArray = cursor.index > start + 1;
  const path = scanKey(cursor);
  while (cursor.text[cursor.index] === ']') cursor.index++;
  const header = { kind: 'header', path, isArray, start, end: cursor.index } as const;
  cursor.found.push(header);
  return header;
}

function scanPair(cursor: Cursor, container: Container): void {
  const start = cursor.index;
  const path = [...container.table, ...scanKey(cursor)];
  // The equals sign.
  cursor.index++;
  skipSpaces(cursor);
  const valueStart = cursor.index;
  const pair: TomlPair = { kind: 'pair', path, ...container, start, valueStart, valueEnd: valueStart };
  cursor.found.push(pair);
  scanValue(cursor, pair);
  pair.valueEnd = valueStart + cursor.text.slice(valueStart, cursor.index).trimEnd().length;
}

/** Scans a dotted key up to the character after it. */
function scanKey(cursor: Cursor): string[] {
  const parts: string[] = [];
  for (;;) {
    skipSpaces(cursor);
    parts.push(scanKeyPart(cursor));
    skipSpaces(cursor);
    if (cursor.text[cursor.index] !== '.') return parts;
    cursor.index++;
  }
}

function scanKeyPart(cursor: Cursor): string {
  const quote = cursor.text[cursor.index];
  const start = cursor.index;
  if (quote === '"' || quote === "'") {
    skipString(cursor);
    const content = cursor.text.slice(start + 1, cursor.index - 1);
    return quote === '"' ? unescaped(content) : content;
  }
  skipWhile(cursor, /[\w-]/);
  // Advances in any case, so that a document that the parser accepts but this module does not cannot cause a loop.
  if (cursor.index === start) cursor.index++;
  return cursor.text.slice(start, cursor.index);
}

/** The escapes of TOML are those of JSON, with a long form for characters outside of the basic plane. */
function unescaped(content: string): string {
  try {
    return JSON.parse(`"${content}"`) as string;
  } catch {
    return content;
  }
}

function scanValue(cursor: Cursor, around: Pick<TomlPair, 'path' | 'isInList'>): void {
  const { path, isInList } = around;
  const first = cursor.text[cursor.index];
  if (first === '"' || first === "'") skipString(cursor);
  else if (first === '[') scanItems(cursor, ']', () => scanValue(cursor, { path, isInList: true }));
  else if (first === '{')
    scanItems(cursor, '}', () => scanPair(cursor, { table: path, isInline: true, isInList }));
  else skipWhile(cursor, /[^\n,\]}#]/);
}

/** Scans the items of a list or an inline table, up to the character after its end. */
function scanItems(cursor: Cursor, end: string, scanItem: () => void): void {
  cursor.index++;
  for (;;) {
    skipBlank(cursor);
    const next = cursor.text[cursor.index];
    if (next === undefined) return;
    if (next === end) break;
    if (next === ',') cursor.index++;
    else scanItem();
  }
  cursor.index++;
}

/** Skips a string of one of the four kinds. */
function skipString(cursor: Cursor): void {
  const { text } = cursor;
  const quote = text[cursor.index] ?? '';
  const delimiter = text.startsWith(quote.repeat(3), cursor.index) ? quote.repeat(3) : quote;
  cursor.index += delimiter.length;
  while (cursor.index < text.length && !text.startsWith(delimiter, cursor.index)) {
    cursor.index += quote === '"' && text[cursor.index] === '\\' ? 2 : 1;
  }
  cursor.index += delimiter.length;
  // The content may end with up to two quotes before the delimiter.
  if (delimiter.length === 3) skipWhile(cursor, quote === '"' ? /"/ : /'/);
}

function skipBlank(cursor: Cursor): void {
  for (;;) {
    skipWhile(cursor, /\s/);
    if (cursor.text[cursor.index] !== '#') return;
    skipWhile(cursor, /[^\n]/);
  }
}

function skipSpaces(cursor: Cursor): void {
  skipWhile(cursor, /[ \t]/);
}

function skipWhile(cursor: Cursor, pattern: RegExp): void {
  while (cursor.index < cursor.text.length && pattern.test(cursor.text[cursor.index] ?? '')) cursor.index++;
}
