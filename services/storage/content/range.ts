/**
 * Parses the header `Range` (RFC 9110 section 14). Only a single range of bytes is supported, as in the hosted service.
 */
import { failure } from '../errors.ts';
import type { ByteRange } from '../store/object-store.ts';

/** Matches `int-range` or `suffix-range` of RFC 9110. */
const RANGE = /^bytes=(?:(?<first>\d+)-(?<last>\d*)|-(?<suffix>\d+))$/;

/**
 * Returns the requested range of `size` bytes; undefined means all bytes. Throws InvalidRange, also for multiple
 * ranges.
 */
export function parseRange(header: string | undefined, size: number): ByteRange | undefined {
  if (header === undefined) return undefined;
  const range = matchRange(header, size);
  if (range === undefined || size === 0 || range.start >= size || range.start > range.end) {
    throw failure('InvalidRange', { headers: { 'content-range': `bytes */${size}` } });
  }
  return { start: range.start, end: Math.min(range.end, size - 1) };
}

function matchRange(header: string, size: number): ByteRange | undefined {
  const { first, last = '', suffix } = RANGE.exec(header)?.groups ?? {};
  if (suffix !== undefined) return { start: Math.max(0, size - Number(suffix)), end: size - 1 };
  if (first === undefined) return undefined;
  return { start: Number(first), end: last === '' ? size - 1 : Number(last) };
}

/** Status and headers for the requested size or range. */
export function sizeHeaders(
  size: number,
  range: ByteRange | undefined,
): { status: 200 | 206; headers: Record<string, string> } {
  if (range === undefined) return { status: 200, headers: { 'content-length': String(size) } };
  const { start, end } = range;
  return {
    status: 206,
    headers: { 'content-length': String(end - start + 1), 'content-range': `bytes ${start}-${end}/${size}` },
  };
}
