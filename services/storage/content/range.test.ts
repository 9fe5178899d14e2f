import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRange, sizeHeaders } from './range.ts';

describe('parseRange', () => {
  it.each([
    [undefined, 10, undefined],
    ['bytes=0-0', 10, { start: 0, end: 0 }],
    ['bytes=2-5', 10, { start: 2, end: 5 }],
    ['bytes=2-', 10, { start: 2, end: 9 }],
    ['bytes=2-999', 10, { start: 2, end: 9 }],
    ['bytes=-3', 10, { start: 7, end: 9 }],
    ['bytes=-99', 10, { start: 0, end: 9 }],
    ['bytes=9-9', 10, { start: 9, end: 9 }],
    ['bytes=0-99999999999999999999999999', 10, { start: 0, end: 9 }],
    [undefined, 0, undefined],
  ])('parses %s of %i bytes as %j', (header, size, range) => {
    expect(parseRange(header, size)).toEqual(range);
  });

  it.each([
    ['bytes=10-', 10],
    ['bytes=10-12', 10],
    ['bytes=5-4', 10],
    ['bytes=-0', 10],
    ['bytes=-', 10],
    ['bytes=0-1,3-4', 10],
    ['bytes= 0-1', 10],
    ['bytes=a-b', 10],
    ['bytes=--1', 10],
    ['items=0-1', 10],
    ['0-1', 10],
    ['', 10],
    ['bytes=0-0', 0],
    ['bytes=-1', 0],
    ['bytes=99999999999999999999999999-', 10],
  ])('rejects %s of %i bytes with the size in the response', (header, size) => {
    let refusal: unknown;
    try {
      parseRange(header, size);
    } catch (error) {
      refusal = error;
    }
    expect(refusal).toMatchObject({
      code: 'InvalidRange',
      status: 416,
      headers: { 'content-range': `bytes */${size}` },
    });
  });

  it('returns only existing bytes for any request', () => {
    const number = fc.oneof(fc.nat(30), fc.bigInt({ min: 0n, max: 10n ** 30n })).map(String);
    const header = fc.oneof(
      fc.tuple(number, number).map(([first, last]) => `bytes=${first}-${last}`),
      number.map((first) => `bytes=${first}-`),
      number.map((length) => `bytes=-${length}`),
      fc.string(),
      fc.string().map((text) => `bytes=${text}`),
    );
    fc.assert(
      fc.property(header, fc.nat(20), (text, size) => {
        let range: ReturnType<typeof parseRange>;
        try {
          range = parseRange(text, size);
        } catch (error) {
          expect(error).toMatchObject({ code: 'InvalidRange' });
          return;
        }
        const { start, end } = range ?? { start: 0, end: size - 1 };
        expect(0 <= start && start <= end && end < size).toBe(true);
        const { status, headers } = sizeHeaders(size, range);
        expect(status).toBe(206);
        expect(headers['content-length']).toBe(String(end - start + 1));
      }),
    );
  });
});

describe('sizeHeaders', () => {
  it.each([
    [10, undefined, 200, { 'content-length': '10' }],
    [0, undefined, 200, { 'content-length': '0' }],
    [10, { start: 2, end: 5 }, 206, { 'content-length': '4', 'content-range': 'bytes 2-5/10' }],
  ] as const)('returns for %i bytes and the range %j the status %i', (size, range, status, headers) => {
    expect(sizeHeaders(size, range)).toEqual({ status, headers });
  });
});
