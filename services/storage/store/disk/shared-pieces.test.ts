import { expect, it } from 'vitest';
import { SharedPieces } from './shared-pieces.ts';

it('a piece is nobody else’s until it is given back, and is used again then', () => {
  const pieces = new SharedPieces();
  const [one, other] = [pieces.take(), pieces.take()];
  expect(one.memory).not.toBe(other.memory);
  expect(one.bytes.buffer).toBe(one.memory);
  pieces.giveBack(one);
  expect(pieces.take().memory).toBe(one.memory);
  expect(pieces.take().memory).not.toBe(one.memory);
});

it('no more are kept than are worth it', () => {
  const pieces = new SharedPieces();
  const taken = Array.from({ length: 100 }, () => pieces.take());
  for (const piece of taken) pieces.giveBack(piece);
  const known = new Set(taken.map(({ memory }) => memory));
  const again = Array.from({ length: 100 }, () => pieces.take()).filter(({ memory }) => known.has(memory));
  expect(again).toHaveLength(32);
});
