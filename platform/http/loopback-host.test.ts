import { expect, it } from 'vitest';
import { isSentToLoopback } from './loopback-host.ts';

it.each([
  ['localhost', true],
  ['localhost:54321', true],
  ['LOCALHOST:54321', true],
  ['app.localhost', true],
  ['127.0.0.1:54321', true],
  ['127.1', true],
  ['[::1]:54321', true],
  ['[::ffff:127.0.0.1]', false],
  ['evil.example', false],
  ['127.0.0.1.evil.example', false],
  ['localhost.evil.example:54321', false],
  ['evil.example@127.0.0.1', true],
  ['10.0.0.1', false],
  ['', false],
  [undefined, false],
])('recognizes a request to the loopback by the Host %s: %s', (host, expected) => {
  expect(isSentToLoopback({ headers: { host } })).toBe(expected);
});
