/** Row ranges: the parameters `limit` and `offset`, the header Range, and the configured maximum of rows. */
import { failure } from '../errors.ts';
import type { At, Query } from '../query/ast.ts';

/** A range of rows. An undefined limit includes all rows after the offset. */
export interface RowRange {
  offset: number;
  limit: number | undefined;
}

export const ALL_ROWS: RowRange = { offset: 0, limit: undefined };

/** The inputs for the range of the top-level rows. */
interface RangeRequest {
  method: string;
  /** The header Range. */
  range: string | undefined;
  query: Pick<Query, 'limits' | 'offsets'>;
}

/**
 * Returns the range of the top-level rows: the intersection of the parameters and, for GET, the header Range (RFC 9110
 * §14.2 defines ranges for GET only).
 * @throws PGRST103 if the range is negative or empty, PGRST114 if a PUT has a range
 */
export function topLevelRange({ method, range: header, query }: RangeRequest): RowRange {
  const ofParameters = rangeAt(query, []);
  // A limit of 0 is valid: the response has no rows, and the header Range is ignored.
  const range =
    ofParameters.limit === 0
      ? { offset: 0, limit: 0 }
      : intersected(ofParameters, method === 'GET' ? parseRange(header) : ALL_ROWS);
  if (method === 'PUT' && (range.offset !== 0 || range.limit !== undefined)) throw failure('PGRST114');
  return range;
}

/**
 * Returns the range of the rows at a path of embeds, by the parameters alone. A negative offset counts as 0.
 * @throws PGRST103 if the limit is negative
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

/** @throws PGRST103 if the limit of an embed is negative */
export function requireEmbedLimits({ limits }: Pick<Query, 'limits'>): void {
  if (limits.some(({ path, value }) => path.length > 0 && value < 0)) throw negativeLimit();
}

/** Limits a range to `maxRows`; undefined does not limit it. */
export function capped({ offset, limit }: RowRange, maxRows: number | undefined): RowRange {
  if (maxRows === undefined) return { offset, limit };
  return { offset, limit: Math.min(limit ?? maxRows, maxRows) };
}

function valueAt(values: readonly At<number>[], path: readonly string[]): number | undefined {
  return values.findLast(
    (at) => at.path.length === path.length && at.path.every((name, i) => name === path[i]),
  )?.value;
}

/** Limits a number to the largest exact integer. It exceeds the rows of any relation, and fits PostgreSQL's bigint. */
function representable(rows: number): number {
  return Math.min(rows, Number.MAX_SAFE_INTEGER);
}

/** Parses `0-9` or `10-`. A header of another form counts as no range. */
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
  if (end <= offset)
    throw unsatisfiable('The header Range and the parameters limit and offset select no common rows.');
  return { offset, limit: end - offset };
}

/** Returns the offset after the last row. */
function endOf({ offset, limit }: RowRange): number {
  return limit === undefined ? Number.POSITIVE_INFINITY : offset + limit;
}

function negativeLimit() {
  return unsatisfiable('Limit should be greater than or equal to zero.');
}

function unsatisfiable(details: string) {
  return failure('PGRST103', { extra: { details } });
}
