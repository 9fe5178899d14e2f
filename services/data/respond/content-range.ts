/** Which rows an answer has, and of how many: the header Content-Range, and the status that follows from it. */
import { failure } from '../errors.ts';
import type { RowRange } from '../request/range.ts';

/** What a read came to. */
interface ReadExtent {
  status: 200 | 206;
  contentRange: string;
}

/**
 * What is said of rows that were read.
 * @param rows how many there are in the answer
 * @param total how many there are without a range; undefined if they were not counted
 * @throws PGRST103, with the header Content-Range, where the range begins after the last row
 */
export function readExtent({ offset }: RowRange, rows: number, total: number | undefined): ReadExtent {
  const range = contentRange({ first: offset, rows, total });
  if (total === undefined) return { status: 200, contentRange: range };
  if (offset > total) throw outOfBounds(offset, total);
  return { status: rows < total ? 206 : 200, contentRange: range };
}

function outOfBounds(offset: number, total: number) {
  return failure('PGRST103', {
    extra: { details: `An offset of ${offset} was requested, but there are only ${total} rows.` },
    headers: { 'content-range': `*/${total}` },
  });
}

/**
 * What is said of rows that were written. Only updated ones have places.
 * @param total how many there are, where the client wants to know
 */
export function writtenExtent(
  kind: 'insert' | 'update' | 'delete',
  rows: number,
  total: number | undefined,
): string {
  return contentRange({ first: 0, rows: kind === 'update' ? rows : 0, total });
}

/** `0-9/57`; `*` stands for no rows, and for a total that is not known. */
function contentRange({ first, rows, total }: { first: number; rows: number; total: number | undefined }) {
  const places = rows === 0 || total === 0 ? '*' : `${first}-${first + rows - 1}`;
  return `${places}/${total ?? '*'}`;
}
