/**
 * Finds the line of each key of a TOML document, which the parser does not report. The document must be valid: this
 * module only skips values.
 *
 * Grammar (https://toml.io/en/v1.0.0): a document is a sequence of `[table]`, `[[array of tables]]` and
 * `dotted."key" = value`, with comments from `#` to the end of the line.
 */

/** Line numbers, from 1, by paths of keys. */
interface KeyLines {
  /** Returns the line of a key, or of the closest table around it; 1 if there is none. */
  lineOf(path: readonly string[]): number;
}

/** Position in a document. */
interface Cursor {
  readonly text: string;
  index: number;
}

/** Receives the path of a key and the index at which it stands. */
type Visit = (path: readonly string[], index: number) => void;

/** Finds the lines of all keys and tables of a valid document. */
export function findKeyLines(text: string): KeyLines {
  const indexes = new Map<string, number>();
  scanDocument({ text, index: 0 }, (path, index) => {
    for (let length = path.length; length > 0; length--) {
      const name = JSON.stringify(path.slice(0, length));
      if (!indexes.has(name)) indexes.set(name, index);
    }
  });
  return {
    lineOf(path) {
      for (let length = path.length; length > 0; length--) {
        const index = indexes.get(JSON.stringify(path.slice(0, length)));
        if (index !== undefined) return text.slice(0, index).split('\n').length;
      }
      return 1;
    },
  };
}

function scanDocument(cursor: Cursor, visit: Visit): void {
  let table: readonly string[] = [];
  for (skipBlank(cursor); cursor.index < cursor.text.length; skipBlank(cursor)) {
    if (cursor.text[cursor.index] === '[') table = scanHeader(cursor, visit);
    else scanPair(cursor, table, visit);
  }
}

function scanHeader(cursor: Cursor, visit: Visit): readonly string[] {
  const start = cursor.index;
  while (cursor.text[cursor.index] === '[') cursor.index++;
  const path = scanKey(cursor);
  visit(path, start);
  while (cursor.text[cursor.index] === ']') cursor.index++;
  return path;
}

function scanPair(cursor: Cursor, table: readonly string[], visit: Visit): void {
  const start = cursor.index;
  const path = [...table, ...scanKey(cursor)];
  visit(path, start);
  // The equals sign.
  cursor.index++;
  skipSpaces(cursor);
  scanValue(cursor, path, visit);
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

function scanValue(cursor: Cursor, path: readonly string[], visit: Visit): void {
  const first = cursor.text[cursor.index];
  if (first === '"' || first === "'") skipString(cursor);
  else if (first === '[') scanItems(cursor, ']', () => scanValue(cursor, path, visit));
  else if (first === '{') scanItems(cursor, '}', () => scanPair(cursor, path, visit));
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
