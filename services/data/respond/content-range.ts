/** The header Content-Range and the status 200 or 206 of a response. */
import { failure } from '../errors.ts';
import type { RowRange } from '../request/range.ts';

/** The status and the Content-Range of a read. */
interface ReadExtent {
  status: 200 | 206;
  contentRange: string;
}

/**
 * Returns the status and the Content-Range of a read.
 * @param rows number of rows in the response
 * @param total number of rows without a range; undefined if they were not counted
 * @throws PGRST103, with the header Content-Range, if the range begins after the last row
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
 * Returns the Content-Range of a write. Only updates have a range of rows.
 * @param total number of written rows, if the client requested a count
 */
export function writtenExtent(
  kind: 'insert' | 'update' | 'delete',
  rows: number,
  total: number | undefined,
): string {
  return contentRange({ first: 0, rows: kind === 'update' ? rows : 0, total });
}

/** Formats a Content-Range such as `0-9/57`. `*` stands for an empty range or an unknown total. */
function contentRange({ first, rows, total }: { first: number; rows: number; total: number | undefined }) {
  const range = rows === 0 || total === 0 ? '*' : `${first}-${first + rows - 1}`;
  return `${range}/${total ?? '*'}`;
}
