import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LogBuffer } from './log-buffer.ts';
import { CLOSED_PIECE_BYTES, type LogRange, PIECE_BYTES, pieceLimit } from './pieces.ts';

const PERIOD = 251;
const PATTERN = Buffer.from(Uint8Array.from({ length: PIECE_BYTES }, (_, index) => index % PERIOD));

/** Bytes that depend on their position. */
function bytesAt(start: bigint, length: number): Buffer {
  const offset = Number(start % BigInt(PERIOD));
  return PATTERN.subarray(offset, offset + length);
}

/** Stores all pieces and returns them. Later ones replace earlier ones as in an archive. */
function storeAll(buffer: LogBuffer, stored: Map<bigint, LogRange & { bytes: Buffer }>): void {
  for (let piece = buffer.next(); piece !== undefined; piece = buffer.next()) {
    const { start, end, bytes, replaces } = piece;
    expect(stored.get(start)?.end).toBe(replaces?.end);
    expect(end).toBeLessThanOrEqual(pieceLimit(start));
    stored.set(start, { start, end, bytes: Buffer.from(bytes) });
    buffer.confirm(piece);
  }
}

describe('a log buffer', () => {
  it('divides any parts into pieces that have all bytes once', () => {
    const part = fc.record({
      length: fc.oneof(fc.integer({ min: 1, max: 500 }), fc.integer({ min: 100_000, max: 300_000 })),
      gap: fc.oneof({ weight: 8, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.constant(1000) }),
      isStored: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(part, { maxLength: 20 }), (parts) => {
        const buffer = new LogBuffer();
        const stored = new Map<bigint, LogRange & { bytes: Buffer }>();
        let position = BigInt(PIECE_BYTES - 100_000);
        const received: LogRange[] = [];
        for (const { length, gap, isStored } of parts) {
          position += BigInt(gap);
          buffer.append(position, bytesAt(position, length));
          received.push({ start: position, end: position + BigInt(length) });
          position += BigInt(length);
          if (isStored) storeAll(buffer, stored);
        }
        storeAll(buffer, stored);
        expect(buffer.hasUnstored).toBe(false);
        expect(buffer.bytes).toBeLessThan(CLOSED_PIECE_BYTES);
        const pieces = [...stored.values()];
        const total = (ranges: readonly LogRange[]) =>
          ranges.reduce((sum, { start, end }) => sum + Number(end - start), 0);
        expect(total(pieces)).toBe(total(received));
        for (const { start, end, bytes } of pieces)
          expect(bytes.equals(bytesAt(start, Number(end - start)))).toBe(true);
        for (const { start } of received)
          expect(pieces.some((piece) => piece.start <= start && start < piece.end)).toBe(true);
      }),
      { numRuns: 30 },
    );
  });

  it('extends a short piece and replaces it', () => {
    const buffer = new LogBuffer();
    buffer.append(10n, Buffer.from('ab'));
    const first = buffer.next();
    expect(first).toMatchObject({ start: 10n, end: 12n, replaces: undefined });
    buffer.confirm({ start: 10n, end: 12n });
    expect(buffer.next()).toBeUndefined();
    buffer.append(12n, Buffer.from('c'));
    expect(buffer.next()).toMatchObject({
      start: 10n,
      end: 13n,
      bytes: Buffer.from('abc'),
      replaces: { start: 10n, end: 12n },
    });
  });

  it('keeps its copy if the caller changes the bytes', () => {
    const buffer = new LogBuffer();
    const bytes = Buffer.from('ab');
    buffer.append(0n, bytes);
    bytes.fill(0);
    expect(buffer.next()?.bytes.toString()).toBe('ab');
  });

  it('reports a complete piece at its limit, and before a gap', () => {
    const buffer = new LogBuffer();
    buffer.append(pieceLimit(0n) - 1n, Buffer.from('a'));
    expect(buffer.hasFullPiece).toBe(true);
    const other = new LogBuffer();
    other.append(0n, Buffer.from('a'));
    expect(other.hasFullPiece).toBe(false);
    other.append(100n, Buffer.from('b'));
    expect(other.hasFullPiece).toBe(true);
  });
});
