import { describe, expect, it } from 'vitest';
import { readExtent, writtenExtent } from './content-range.ts';

const from = (offset: number) => ({ offset, limit: undefined });

describe('readExtent', () => {
  it.each([
    ['all rows without a total', from(0), 3, undefined, 200, '0-2/*'],
    ['no rows without a total', from(0), 0, undefined, 200, '*/*'],
    ['an offset beyond the end without a total', from(9), 0, undefined, 200, '*/*'],
    ['all rows', from(0), 3, 3, 200, '0-2/3'],
    ['the first rows', from(0), 2, 3, 206, '0-1/3'],
    ['the last rows', from(2), 1, 3, 206, '2-2/3'],
    ['no rows of an empty result', from(0), 0, 0, 200, '*/0'],
    ['a limit of 0', from(0), 0, 3, 206, '*/3'],
    ['an offset at the end', from(3), 0, 3, 206, '*/3'],
    ['more rows than an estimate', from(0), 5, 3, 200, '0-4/3'],
  ] as const)('returns the extent of %s', (_, range, rows, total, status, contentRange) => {
    expect(readExtent(range, rows, total)).toEqual({ status, contentRange });
  });

  it.each([
    [4, 3],
    [1, 0],
  ])('rejects an offset of %d with %d rows', (offset, total) => {
    expect(() => readExtent(from(offset), 0, total)).toThrow(
      expect.objectContaining({
        code: 'PGRST103',
        status: 416,
        extra: { details: `An offset of ${offset} was requested, but there are only ${total} rows.` },
        headers: { 'content-range': `*/${total}` },
      }),
    );
  });
});

it.each([
  ['insert', 3, 3, '*/3'],
  ['insert', 3, undefined, '*/*'],
  ['update', 3, 3, '0-2/3'],
  ['update', 3, undefined, '0-2/*'],
  ['update', 0, 0, '*/0'],
  ['update', 0, undefined, '*/*'],
  ['delete', 3, 3, '*/3'],
  ['delete', 3, undefined, '*/*'],
] as const)(
  'a write (%s) of %d rows with the total %s has the Content-Range %s',
  (kind, rows, total, contentRange) => {
    expect(writtenExtent(kind, rows, total)).toBe(contentRange);
  },
);
