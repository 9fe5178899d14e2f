import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  CLOSED_PIECE_BYTES,
  coveredUntil,
  isClosed,
  type LogRange,
  PIECE_BYTES,
  parsePieceName,
  pieceLimit,
  pieceName,
  requirePieces,
} from './pieces.ts';

const LINEAGE = { systemId: '7400000000000000001', timeline: 2 };

describe('the name of a piece', () => {
  it('has the cluster, the timeline and the range', () => {
    expect(pieceName(LINEAGE, { start: 0x1_0000_00a0n, end: 0x1_0000_ffffn })).toBe(
      'wal/7400000000000000001-2/00000001000000A0-000000010000FFFF',
    );
  });

  it('is parsed to the range', () => {
    const lsn = fc.bigInt({ min: 0n, max: 2n ** 63n });
    fc.assert(
      fc.property(lsn, fc.bigInt({ min: 1n, max: 2n ** 30n }), (start, bytes) => {
        const range = { start, end: start + bytes };
        expect(parsePieceName(pieceName(LINEAGE, range))).toEqual(range);
      }),
    );
  });

  it.each(['head.json', '0000000000000001-0000000000000001', '0000000000000002-0000000000000001', 'x-y'])(
    'is not %s',
    (name) => {
      expect(parsePieceName(`wal/1-1/${name}`)).toBeUndefined();
    },
  );
});

it('a piece is closed at its limit, or if it is long', () => {
  const limit = BigInt(PIECE_BYTES);
  expect(pieceLimit(0n)).toBe(limit);
  expect(pieceLimit(limit - 1n)).toBe(limit);
  expect(pieceLimit(limit)).toBe(2n * limit);
  expect(isClosed({ start: 0n, end: BigInt(CLOSED_PIECE_BYTES) })).toBe(true);
  expect(isClosed({ start: 0n, end: BigInt(CLOSED_PIECE_BYTES) - 1n })).toBe(false);
  expect(isClosed({ start: limit - 1n, end: limit })).toBe(true);
});

/** Few positions, so that pieces often touch, overlap and repeat each other. */
const piece = fc
  .tuple(fc.nat(20), fc.integer({ min: 1, max: 6 }))
  .map(([start, length]): LogRange => ({ start: BigInt(start), end: BigInt(start + length) }));
const pieces = fc.array(piece, { maxLength: 12 });

/** The same by looking at each position. */
function coveredByPosition(all: readonly LogRange[], start: bigint): bigint {
  let position = start;
  while (all.some((one) => one.start <= position && position < one.end)) position++;
  return position;
}

describe('pieces', () => {
  it('cover the positions up to the first that none of them contains', () => {
    fc.assert(
      fc.property(pieces, fc.nat(26), (all, start) => {
        expect(coveredUntil(all, BigInt(start))).toBe(coveredByPosition(all, BigInt(start)));
      }),
    );
  });

  it('of a required range contain each of its positions, or the first missing range is named', () => {
    fc.assert(
      fc.property(pieces, fc.nat(25), fc.integer({ min: 1, max: 8 }), (all, from, length) => {
        const range = { start: BigInt(from), end: BigInt(from + length) };
        const end = coveredByPosition(all, range.start);
        if (end >= range.end) {
          const found = requirePieces(all, range, LINEAGE);
          expect(coveredByPosition(found, range.start)).toBeGreaterThanOrEqual(range.end);
          for (const { start } of found) expect(start).toBeLessThan(range.end);
        } else {
          const missing = `from 0/${end.toString(16).toUpperCase()} to`;
          expect(() => requirePieces(all, range, LINEAGE)).toThrow(missing);
        }
      }),
    );
  });

  it('that are missing are named up to the next piece', () => {
    const stored = [
      { start: 0n, end: 16n },
      { start: 48n, end: 64n },
    ];
    expect(() => requirePieces(stored, { start: 0n, end: 80n }, LINEAGE)).toThrow(
      'the log from 0/10 to 0/30 is missing in wal/7400000000000000001-2/',
    );
  });
});
