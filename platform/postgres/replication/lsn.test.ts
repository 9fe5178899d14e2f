import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  formatLsn,
  parseLsn,
  parseSegmentName,
  SEGMENT_BYTES,
  segmentEnd,
  segmentName,
  segmentStart,
} from './lsn.ts';

const lsn = fc.bigInt({ min: 0n, max: 2n ** 64n - BigInt(2 * SEGMENT_BYTES) });

describe('a position in the log', () => {
  it.each([
    ['0/0', 0n],
    ['0/3000028', 0x3000028n],
    ['16/B374D848', 0x16_b374_d848n],
    ['FFFFFFFF/FFFFFFFF', 2n ** 64n - 1n],
  ])('is written as %s', (text, value) => {
    expect(parseLsn(text)).toBe(value);
    expect(formatLsn(value)).toBe(text);
  });

  it.each(['', '0', '0/', '0/G', '0/123456789', ' 0/0', '0/0\n'])('is not %j', (text) => {
    expect(() => parseLsn(text)).toThrow('is not a position in the log');
  });

  it('is the same after formatting and parsing', () => {
    fc.assert(fc.property(lsn, (value) => parseLsn(formatLsn(value)) === value));
  });
});

describe('a segment', () => {
  it.each([
    [1, 0x3000028n, '000000010000000000000003'],
    [2, 0x1_0000_0000n, '000000020000000100000000'],
    [0xab, 0x1_ff00_0000n, '000000AB00000001000000FF'],
  ])('of timeline %i at %i has the name %s', (timeline, position, name) => {
    expect(segmentName(timeline, position)).toBe(name);
  });

  it('contains the positions from its start to its end, and has a name that describes its start', () => {
    fc.assert(
      fc.property(lsn, fc.integer({ min: 1, max: 2 ** 32 - 1 }), (position, timeline) => {
        const start = segmentStart(position);
        expect(start <= position && position < segmentEnd(position)).toBe(true);
        expect(segmentEnd(position) - start).toBe(BigInt(SEGMENT_BYTES));
        expect(parseSegmentName(segmentName(timeline, position))).toEqual({ timeline, start });
      }),
    );
  });

  it.each(['00000002.history', '000000010000000000000003.00000028.backup', '', 'x'])(
    'has no name like %j',
    (name) => {
      expect(parseSegmentName(name)).toBeUndefined();
    },
  );
});
