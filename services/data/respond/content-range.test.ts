import { describe, expect, it } from 'vitest';
import { readExtent, writtenExtent } from './content-range.ts';

const from = (offset: number) => ({ offset, limit: undefined });

describe('readExtent', () => {
  it.each([
    ['all rows, not counted', from(0), 3, undefined, 200, '0-2/*'],
    ['no rows, not counted', from(0), 0, undefined, 200, '*/*'],
    ['no rows behind the last one, not counted', from(9), 0, undefined, 200, '*/*'],
    ['all rows', from(0), 3, 3, 200, '0-2/3'],
    ['the first rows', from(0), 2, 3, 206, '0-1/3'],
    ['the last rows', from(2), 1, 3, 206, '2-2/3'],
    ['no rows of none', from(0), 0, 0, 200, '*/0'],
    ['no rows, because none were asked for', from(0), 0, 3, 206, '*/3'],
    ['no rows, right behind the last one', from(3), 0, 3, 206, '*/3'],
    ['more rows than an estimate', from(0), 5, 3, 200, '0-4/3'],
  ] as const)('of %s', (_, range, rows, total, status, contentRange) => {
    expect(readExtent(range, rows, total)).toEqual({ status, contentRange });
  });

  it.each([
    [4, 3],
    [1, 0],
  ])('refuses to begin at %d of %d', (offset, total) => {
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
] as const)('of %s of %d rows, of %s that were counted: %s', (kind, rows, total, contentRange) => {
  expect(writtenExtent(kind, rows, total)).toBe(contentRange);
});
