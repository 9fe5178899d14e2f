/** Renders rows as the aligned tables of psql. */
import type { TextResult } from '@greenroom/postgres';

/** Oids of the types whose values psql aligns to the right: int2, int4, int8, oid, xid, cid, money, float4, float8, numeric. */
const RIGHT_ALIGNED = new Set([20, 21, 23, 26, 28, 29, 700, 701, 790, 1700, 5069]);

/** Returns the table with its number of rows, and an empty line. */
export function renderTable({ columns, rows }: Pick<TextResult, 'columns' | 'rows'>): string {
  const cells = rows.map((row) => row.map((value) => linesOf(value ?? '')));
  const names = columns.map(({ name }) => linesOf(name));
  const widths = columns.map((_, index) =>
    Math.max(...[names, ...cells].flatMap((row) => (row[index] ?? []).map(widthOf))),
  );
  const isRight = columns.map(({ type }) => RIGHT_ALIGNED.has(type));
  return [
    // psql pads the names of all columns, and no value at the end of a line.
    ...rowLines(
      names,
      (text, column) => centred(text, widths[column] ?? 0),
      (line) => line,
    ),
    widths.map((width) => '-'.repeat(width + 2)).join('+'),
    ...cells.flatMap((row) =>
      rowLines(row, (text, column) => aligned(text, widths[column] ?? 0, isRight[column] ?? false)),
    ),
    `(${rows.length} row${rows.length === 1 ? '' : 's'})`,
    '',
  ]
    .map((line) => `${line}\n`)
    .join('');
}

/** Returns the lines of a row: a cell of several lines has a `+` behind all of them but the last. */
function rowLines(
  cells: readonly string[][],
  pad: (text: string, column: number) => string,
  end = (line: string, isExhausted: boolean) => line.trimEnd() + (isExhausted ? ' ' : ''),
): string[] {
  const height = Math.max(1, ...cells.map(({ length }) => length));
  return Array.from({ length: height }, (_, line) => {
    const parts = cells.map((lines, column) => {
      const isContinued = line < lines.length - 1;
      return ` ${pad(lines[line] ?? '', column)}${isContinued ? '+' : ' '}`;
    });
    // psql pads a last cell that has fewer lines than the row.
    return end(parts.join('|'), line >= (cells.at(-1)?.length ?? 0));
  });
}

function centred(text: string, width: number): string {
  const missing = width - widthOf(text);
  const left = Math.floor(missing / 2);
  return `${' '.repeat(left)}${text}${' '.repeat(missing - left)}`;
}

function aligned(text: string, width: number, isRight: boolean): string {
  const spaces = ' '.repeat(width - widthOf(text));
  return isRight ? `${spaces}${text}` : `${text}${spaces}`;
}

const TAB_WIDTH = 8;

/** Splits a value into lines; control characters are visible, so that a value cannot change the terminal. */
function linesOf(value: string): string[] {
  return value.split('\n').map((line) => {
    let shown = '';
    for (const character of line) {
      const code = character.codePointAt(0) ?? 0;
      if (character === '\t') shown += ' '.repeat(TAB_WIDTH - (widthOf(shown) % TAB_WIDTH));
      else if (character === '\r') shown += '\\r';
      else if (code < 0x20 || code === 0x7f)
        shown += `\\x${code.toString(16).toUpperCase().padStart(2, '0')}`;
      else if (code >= 0x80 && code < 0xa0) shown += `\\u${code.toString(16).toUpperCase().padStart(4, '0')}`;
      else shown += character;
    }
    return shown;
  });
}

/** Scripts and symbols whose characters need two columns of a terminal (Unicode Standard Annex 11). */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]/u;
/** Characters that are drawn over the one before them, or not at all. */
const WITHOUT_WIDTH = /[\p{Mn}\p{Me}\p{Cf}]/u;

/** Returns the number of columns of a terminal. */
function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += WITHOUT_WIDTH.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
  return width;
}
