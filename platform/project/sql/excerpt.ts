/** Shows a place in a SQL file to the user. */

const LINES_BEFORE = 3;
const LINES_AFTER = 1;
/** Longer lines, e.g. of generated inserts, are cut around the place. */
const MAX_WIDTH = 100;

/** A place in a text. Both numbers begin at 1. */
interface Place {
  line: number;
  column: number;
}

/** Returns the line and column of an offset. */
export function placeOf(text: string, offset: number): Place {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: before.length - lineStart + 1 };
}

/** Converts PostgreSQL's position, which counts characters from 1, to an offset in UTF-16 units. */
export function offsetOfPosition(text: string, position: number): number {
  let offset = 0;
  for (let count = 1; count < position && offset < text.length; count++) {
    offset += (text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1;
  }
  return offset;
}

/** Options of {@link excerptOf}. */
interface ExcerptOptions {
  /** Offsets of the first and the last line that may be shown. Default: the whole text. */
  range?: { start: number; end: number };
  /** Number of the first line of the text. Default: 1. */
  firstLine?: number | undefined;
}

/** Returns the lines around an offset, with line numbers, and a caret below the character at the offset. */
export function excerptOf(text: string, offset: number, options: ExcerptOptions = {}): string[] {
  const { range = { start: 0, end: text.length }, firstLine = 1 } = options;
  const { line, column } = placeOf(text, offset);
  const first = Math.max(placeOf(text, range.start).line, line - LINES_BEFORE);
  const lines = text.split('\n');
  const last = Math.min(line + LINES_AFTER, placeOf(text, range.end).line);
  const width = String(last + firstLine - 1).length;
  const shown: string[] = [];
  for (let number = first; number <= last; number++) {
    const content = (lines[number - 1] ?? '').replace(/\r$/, '');
    const cut = number === line ? Math.max(0, column - MAX_WIDTH / 2) : 0;
    const label = String(number + firstLine - 1).padStart(width);
    shown.push(`${label} | ${windowOf(content, cut)}`.trimEnd());
    if (number === line) shown.push(`${' '.repeat(width)} | ${indentOf(content, cut, column)}^`);
  }
  return shown;
}

function windowOf(line: string, cut: number): string {
  const end = cut + MAX_WIDTH;
  return `${cut > 0 ? '…' : ''}${line.slice(cut, end)}${line.length > end ? '…' : ''}`;
}

/** Keeps tabs, so that the caret stands below its character. */
function indentOf(line: string, cut: number, column: number): string {
  const before = `${cut > 0 ? ' ' : ''}${line.slice(cut, column - 1)}`;
  return before.replace(/[^\t]/g, ' ');
}
