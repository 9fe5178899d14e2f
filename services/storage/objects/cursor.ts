/** Encodes and decodes cursors of lists: lines of `<letter>:<value>`, in base64. */
import { failure } from '../errors.ts';

/** The order of a list and the position after the last name of a page. */
export interface Cursor {
  /** Last name of the previous page; folders include their slash. */
  startAfter: string;
  order: 'asc' | 'desc';
  /** Undefined: sorted by name. */
  column: SortColumn | undefined;
  /** Sort value of the last entry if the list is sorted by a date; ISO 8601. */
  after: string | undefined;
}

export type SortColumn = 'name' | 'created_at' | 'updated_at';

const COLUMNS: ReadonlySet<string> = new Set(['name', 'created_at', 'updated_at']);
const LETTERS = 'loca';

export function encodeCursor({ startAfter, order, column, after }: Cursor): string {
  const lines = [`l:${startAfter}`, `o:${order}`, column && `c:${column}`, after && `a:${after}`];
  return Buffer.from(lines.filter(Boolean).join('\n')).toString('base64');
}

/** Decodes a cursor. Throws InvalidParameter. */
export function decodeCursor(text: string): Cursor {
  const values = new Map<string, string>();
  for (const line of Buffer.from(text, 'base64').toString('utf8').split('\n')) {
    if (line[1] !== ':' || !LETTERS.includes(line[0] ?? ' ')) throw invalid();
    values.set(line.slice(0, 1), line.slice(2));
  }
  const order = values.get('o') ?? 'asc';
  const column = values.get('c');
  const after = values.get('a');
  const isValid =
    (order === 'asc' || order === 'desc') &&
    (column === undefined || COLUMNS.has(column)) &&
    (after === undefined || !Number.isNaN(Date.parse(after)));
  if (!isValid) throw invalid();
  return { startAfter: values.get('l') ?? '', order, column: column as SortColumn | undefined, after };
}

function invalid() {
  return failure('InvalidParameter', { message: 'Invalid Parameter continuation token' });
}
