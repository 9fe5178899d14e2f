import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { webRequestOf } from './web-request.ts';

const rawRequest = () => Object.assign(new PassThrough(), { headers: { 'upload-offset': '0' } });
const convert = (raw: object) => webRequestOf({ raw: raw as IncomingMessage, method: 'PATCH' });

it('contains the headers and the body', async () => {
  const raw = rawRequest();
  const request = convert(raw);
  raw.end('content');
  expect(request.headers.get('upload-offset')).toBe('0');
  expect(await request.text()).toBe('content');
});

it('ends the body when the client disconnects', async () => {
  const raw = rawRequest();
  const request = convert(raw);
  raw.write('con');
  setImmediate(() => raw.destroy());
  expect(await request.text()).toBe('con');
});

it('has an empty body if the client has disconnected before', async () => {
  const raw = rawRequest();
  raw.destroy();
  await new Promise((resolve) => raw.once('close', resolve));
  expect(await convert(raw).text()).toBe('');
});
