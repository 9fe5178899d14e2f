import fc from 'fast-check';
import { expect, it } from 'vitest';
import { MessageSplitter } from './split.ts';

function message(type: string, contents: Uint8Array): Buffer {
  const bytes = Buffer.alloc(5 + contents.length);
  bytes.write(type);
  bytes.writeUInt32BE(4 + contents.length, 1);
  bytes.set(contents, 5);
  return bytes;
}

it('emits whole messages, regardless of how the stream is split', () => {
  const messages = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 8 });
  fc.assert(
    fc.property(messages, fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1 }), (contents, sizes) => {
      const sent = contents.map((bytes) => message('D', bytes));
      const stream = Buffer.concat(sent);
      const received: Buffer[] = [];
      const splitter = new MessageSplitter((bytes, start, end) => received.push(bytes.subarray(start, end)));
      for (let offset = 0, i = 0; offset < stream.length; i++) {
        const end = offset + (sizes[i % sizes.length] ?? 1);
        splitter.push(stream.subarray(offset, end));
        offset = end;
      }
      expect(received).toEqual(sent);
    }),
  );
});

it('passes large messages in pieces to a receiver', () => {
  const length = 600_000;
  const sent = [
    message('D', new Uint8Array(3)),
    message('D', new Uint8Array(length).fill(7)),
    message('C', new Uint8Array(2)),
  ];
  const stream = Buffer.concat(sent);
  const received: Buffer[] = [];
  const chunks: Buffer[] = [];
  const types: number[] = [];
  const ends: boolean[] = [];
  const splitter = new MessageSplitter(
    (bytes, start, end) => received.push(bytes.subarray(start, end)),
    (type) => {
      types.push(type);
      return (chunk, isLast) => {
        chunks.push(chunk);
        ends.push(isLast);
      };
    },
  );
  for (let offset = 0; offset < stream.length; offset += 100_000) {
    splitter.push(stream.subarray(offset, offset + 100_000));
  }
  expect(types).toEqual([0x44]);
  expect(received).toEqual([sent[0], sent[2]]);
  expect(Buffer.concat(chunks)).toEqual(sent[1]);
  expect(ends.indexOf(true)).toBe(ends.length - 1);
});

it('releases the memory of copied pieces only', () => {
  const sent = [message('D', new Uint8Array(100_000).fill(7)), message('C', new Uint8Array(2))];
  const stream = Buffer.concat(sent);
  const received: Buffer[] = [];
  const splitter = new MessageSplitter((bytes, start, end) => received.push(bytes.subarray(start, end)));
  const chunks = [0, 40_000, 80_000].map((offset) => Buffer.from(stream.subarray(offset, offset + 40_000)));
  for (const chunk of chunks) splitter.push(chunk);
  expect(received).toEqual(sent);
  // Only the middle piece is released: the first may begin with another message, and the last message is a view of the
  // last piece.
  expect(chunks.map(({ length }) => length)).toEqual([40_000, 0, stream.length - 80_000]);
});
