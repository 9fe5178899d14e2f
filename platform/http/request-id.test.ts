import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { createRequestIds } from './request-id.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;
const request = (id: string | string[] | undefined, remoteAddress: string | undefined = '192.0.2.1') =>
  ({ headers: { 'x-request-id': id }, socket: { remoteAddress } }) as unknown as IncomingMessage;

it.each([
  ['a trusted address', '192.0.2.1', ['192.0.2.1']],
  ['a trusted range', '192.0.2.77', ['192.0.2.0/24']],
  ['a trusted IPv6 range', '2001:db8::7', ['2001:db8::/32']],
])('keeps the id of a proxy with %s', (_, address, proxies) => {
  expect(createRequestIds(proxies)(request('abc-1', address))).toBe('abc-1');
});

it.each([
  ['another client', request('abc', '198.51.100.1'), ['192.0.2.1']],
  ['any client without trusted proxies', request('abc'), []],
  ['a proxy that sends no id', request(undefined), ['192.0.2.1']],
  ['a proxy that sends two ids', request(['a', 'b']), ['192.0.2.1']],
  ['a proxy that sends an id with a line break', request('a\nb'), ['192.0.2.1']],
  ['a proxy that sends a long id', request('a'.repeat(129)), ['192.0.2.1']],
  ['a Unix socket', { ...request('abc'), socket: {} } as unknown as IncomingMessage, ['192.0.2.1']],
])('creates an id for %s', (_, sent, proxies) => {
  expect(createRequestIds(proxies)(sent)).toMatch(UUID);
});
