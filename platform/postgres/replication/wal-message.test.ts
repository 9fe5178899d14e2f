import { expect, it } from 'vitest';
import { isEndOfLog, readWalMessage, readWalStart, writeStatusUpdate } from './wal-message.ts';

/** A message with data: type, start, end of the log, clock, data. */
function dataMessage(start: bigint, data: string): Buffer {
  const header = Buffer.alloc(25);
  header.write('w');
  header.writeBigUInt64BE(start, 1);
  header.writeBigUInt64BE(start + 1000n, 9);
  return Buffer.concat([header, Buffer.from(data)]);
}

it('returns the data of a message and its position in the log', () => {
  const message = dataMessage(0x1_2345_6789n, 'bytes');
  expect(readWalMessage(message)).toEqual({ kind: 'data', data: Buffer.from('bytes') });
  expect(readWalStart(message)).toBe(0x1_2345_6789n);
});

it.each([
  [999, false],
  [1000, true],
])('knows whether a message with %i bytes contains the end of a log of 1000', (bytes, isEnd) => {
  expect(isEndOfLog(dataMessage(0x1_2345_6789n, 'x'.repeat(bytes)))).toBe(isEnd);
});

it.each([
  { last: 0, isReplyRequested: false },
  { last: 1, isReplyRequested: true },
])('reads a keepalive with the reply flag $last', ({ last, isReplyRequested }) => {
  const message = Buffer.alloc(18);
  message.write('k');
  message.writeBigUInt64BE(77n, 1);
  message[17] = last;
  expect(readWalMessage(message)).toEqual({ kind: 'keepalive', end: 77n, isReplyRequested });
});

it('ignores messages of unknown kinds', () => {
  expect(readWalMessage(Buffer.from('x'))).toBeUndefined();
});

it('writes a status update with the position as written, flushed and applied', () => {
  const update = writeStatusUpdate(9n, Date.UTC(2000, 0, 1) + 5, true);
  expect(update.toString('latin1', 0, 1)).toBe('r');
  expect([1, 9, 17].map((offset) => update.readBigUInt64BE(offset))).toEqual([9n, 9n, 9n]);
  expect(update.readBigInt64BE(25)).toBe(5000n);
  expect(update[33]).toBe(1);
});
