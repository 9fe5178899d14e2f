/**
 * The rows of `copy … from stdin` in a file, as pg_dump writes them: they begin in the line after the semicolon and end with a
 * line that contains only `\\.` (PostgreSQL documentation, "COPY", "Text Format").
 */
import { SqlTextError } from './tokens.ts';

/** Rows in a file. */
export interface CopyRows {
  /** Whole lines, without the one that ends them. */
  text: string;
  /** Offset of `text` in the file. */
  offset: number;
}

const REST_OF_LINE = /[ \t]*(?:--[^\n]*)?(?:\r?\n|$)/y;
const END_OF_ROWS = /^\\\.\r?(?:\n|$)/gm;
/** The context of an error in the rows: `COPY notes, line 2, column id: "x"`. */
const ROW_IN_CONTEXT = /^COPY .*?, line (\d+)/m;

/**
 * Returns the rows after a statement, and the offset after the line that ends them. Throws {@link SqlTextError} if the file
 * has no such line, or if the line of the semicolon has other text.
 * @param start offset after the semicolon
 * @param stdin offset of the word `stdin`
 */
export function copyRowsAfter(sql: string, start: number, stdin: number): { rows: CopyRows; end: number } {
  REST_OF_LINE.lastIndex = start;
  if (!REST_OF_LINE.test(sql))
    throw new SqlTextError(
      'the rows of "copy … from stdin" begin in the next line. Move this text after the line with \\.',
      start + sql.slice(start).search(/\S/),
    );
  const offset = REST_OF_LINE.lastIndex;
  END_OF_ROWS.lastIndex = offset;
  const end = END_OF_ROWS.exec(sql);
  if (end === null)
    throw new SqlTextError(
      'the rows of "copy … from stdin" have no end: a line with only \\. is missing',
      stdin,
    );
  return { rows: { text: sql.slice(offset, end.index), offset }, end: end.index + end[0].length };
}

/** Returns the offset in the file of the row that the context of an error names; undefined if it names none. */
export function offsetOfRow({ text, offset }: CopyRows, context: string | undefined): number | undefined {
  const [, number] = ROW_IN_CONTEXT.exec(context ?? '') ?? [];
  if (number === undefined) return undefined;
  const before = text.split('\n').slice(0, Number(number) - 1);
  return before.reduce((sum, line) => sum + line.length + 1, offset);
}

/** Returns a statement and its rows as they stand in a file. */
export function withRows(statement: string, { text }: CopyRows): string {
  return `${statement};\n${text}\\.`;
}

/** Whether a text ends with the end of rows, which no semicolon follows. */
export function endsWithRows(text: string): boolean {
  return text.endsWith('\n\\.');
}
