/** Which rows of a result are wanted: the parameters `limit` and `offset`, the header Range, and the configured cap. */
import { failure } from '../errors.ts';
import type { At, Query } from '../query/ast.ts';

/** A run of rows. Without a limit it goes on to the end. */
export interface RowRange {
  offset: number;
  limit: number | undefined;
}

/** All rows. */
export const ALL_ROWS: RowRange = { offset: 0, limit: undefined };

/** What says which rows of the relation itself are wanted. */
interface RangeRequest {
  method: string;
  /** The header Range. */
  range: string | undefined;
  query: Pick<Query, 'limits' | 'offsets'>;
}

/**
 * The rows of the relation itself: those that both the parameters and, of a GET, the header want (RFC 9110 §14.2: no
 * other method has ranges).
 * @throws PGRST103 where there can be no such rows, PGRST114 where PUT is limited
 */
export function topLevelRange({ method, range, query }: RangeRequest): RowRange {
  const ofParameters = rangeAt(query, []);
  // Asking for no rows is fine, and is answered with none whatever else was asked for.
  const wanted =
    ofParameters.limit === 0
      ? { offset: 0, limit: 0 }
      : intersected(ofParameters, method === 'GET' ? parseRange(range) : ALL_ROWS);
  if (method === 'PUT' && (wanted.offset !== 0 || wanted.limit !== undefined)) throw failure('PGRST114');
  return wanted;
}

/**
 * The rows at the end of a path of embeds, by the parameters alone. A negative offset is none.
 * @throws PGRST103 where the limit is negative
 */
export function rangeAt(
  { limits, offsets }: Pick<Query, 'limits' | 'offsets'>,
  path: readonly string[],
): RowRange {
  const limit = valueAt(limits, path);
  if (limit !== undefined && limit < 0) throw negativeLimit();
  return {
    offset: representable(Math.max(0, valueAt(offsets, path) ?? 0)),
    limit: limit && representable(limit),
  };
}

/** @throws PGRST103 where the limit of an embed is negative */
export function requireEmbedLimits({ limits }: Pick<Query, 'limits'>): void {
  if (limits.some(({ path, value }) => path.length > 0 && value < 0)) throw negativeLimit();
}

/** The range with no more rows than the cap; undefined is none. */
export function capped({ offset, limit }: RowRange, maxRows: number | undefined): RowRange {
  if (maxRows === undefined) return { offset, limit };
  return { offset, limit: Math.min(limit ?? maxRows, maxRows) };
}

function valueAt(values: readonly At<number>[], path: readonly string[]): number | undefined {
  return values.findLast(
    (at) => at.path.length === path.length && at.path.every((name, i) => name === path[i]),
  )?.value;
}

/** No relation has that many rows, and a larger number would not be exact, nor fit PostgreSQL's bigint. */
function representable(rows: number): number {
  return Math.min(rows, Number.MAX_SAFE_INTEGER);
}

/** `0-9` or `10-`; what has another form is no range for us. */
function parseRange(header: string | undefined): RowRange {
  const [, first, last] = /^(\d+)-(\d*)$/.exec(header ?? '') ?? [];
  if (first === undefined) return ALL_ROWS;
  const offset = representable(Number(first));
  if (last === undefined || last === '') return { offset, limit: undefined };
  const end = representable(Number(last));
  if (offset > end)
    throw unsatisfiable(
      'The lower boundary must be lower than or equal to the upper boundary in the Range header.',
    );
  return { offset, limit: end - offset + 1 };
}

function intersected(a: RowRange, b: RowRange): RowRange {
  const offset = Math.max(a.offset, b.offset);
  const end = Math.min(endOf(a), endOf(b));
  if (end === Number.POSITIVE_INFINITY) return { offset, limit: undefined };
  if (end <= offset) throw unsatisfiable('The header Range and the parameters have no rows in common.');
  return { offset, limit: end - offset };
}

/** The row after the last one. */
function endOf({ offset, limit }: RowRange): number {
  return limit === undefined ? Number.POSITIVE_INFINITY : offset + limit;
}

function negativeLimit() {
  return unsatisfiable('Limit should be greater than or equal to zero.');
}

function unsatisfiable(details: string) {
  return failure('PGRST103', { extra: { details } });
}
