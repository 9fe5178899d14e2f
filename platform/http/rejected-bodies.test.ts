import type { FastifyRequest } from 'fastify';
import { expect, it } from 'vitest';
import { createRejectionDelay } from './rejected-bodies.ts';

const request = (more: object = {}) =>
  ({
    raw: { complete: false },
    headers: { 'content-length': '1000000' },
    isCounted: true,
    clientAddress: '192.0.2.1',
    ...more,
  }) as unknown as FastifyRequest;

const refuse = (count: number, more?: object, status = 413) => {
  const delayOf = createRejectionDelay();
  return Array.from({ length: count }, () => delayOf(request(more), status));
};

it('delays rejections of large bodies once a client has used its burst', () => {
  const delays = refuse(30);
  expect(delays.slice(0, 20)).toEqual(Array(20).fill(0));
  expect(delays.slice(25)).toEqual(Array(5).fill(1000));
});

it('counts clients separately', () => {
  const delayOf = createRejectionDelay();
  for (let index = 0; index < 30; index += 1) delayOf(request(), 413);
  expect(delayOf(request({ clientAddress: '192.0.2.2' }), 413)).toBe(0);
});

it.each([
  ['a body of unknown length', { headers: { 'transfer-encoding': 'chunked' } }, 413, 1000],
  ['an accepted body', {}, 200, 0],
  ['a small body', { headers: { 'content-length': '1000' } }, 400, 0],
  ['a request without a body', { headers: {} }, 404, 0],
  ['a body that has been read', { raw: { complete: true } }, 400, 0],
  ['a client that is not counted', { isCounted: false }, 413, 0],
])('delays the response to %s by $3 ms', (_, more, status, delay) => {
  expect(refuse(30, more, status).at(-1)).toBe(delay);
});
