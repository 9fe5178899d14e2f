/** Sends bodies as clients do, over real sockets. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { CatalogueError } from '@greenroom/errors';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { md5Of, newBytes } from '../store/testing/content.ts';
import { discardBody, receiveContent } from './receive.ts';

const MEBIBYTE = 1024 * 1024;

let server: Server;
let url: string;
/** Result of the last request. */
let received: PromiseWithResolvers<Record<string, unknown>>;

/** Responds with the received content or the error. */
async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = { headers: request.headers, body: request };
  let result: Record<string, unknown>;
  try {
    const { content, ...others } = await receiveContent(body);
    const bytes = Buffer.concat(await content.toArray());
    result = { ...others, bytes: bytes.length, md5: md5Of(bytes) };
  } catch (error) {
    const code = error instanceof CatalogueError ? error.code : String(error);
    result = { code };
    discardBody(body, MEBIBYTE);
  }
  received.resolve(result);
  response.end(JSON.stringify(result));
}

beforeAll(async () => {
  server = createServer((request, response) => void respond(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  received = Promise.withResolvers();
});
afterAll(() => server.close());

async function send(init: RequestInit): Promise<Record<string, unknown>> {
  return (await fetch(url, { method: 'POST', ...init })).json() as Promise<Record<string, unknown>>;
}

function formOf(fields: Record<string, string | Blob>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return form;
}

const file = (bytes: Buffer, type = 'image/png') => new Blob([bytes as Buffer<ArrayBuffer>], { type });

describe('a raw body', () => {
  it('has the properties of its headers', async () => {
    const bytes = newBytes(100_000);
    const metadata = Buffer.from('{"a":[1]}').toString('base64');
    expect(
      await send({
        body: bytes as Buffer<ArrayBuffer>,
        headers: {
          'content-type': 'text/plain;charset=UTF-8',
          'cache-control': 'max-age=7',
          'x-metadata': metadata,
          'x-robots-tag': 'noindex',
        },
      }),
    ).toEqual({
      bytes: bytes.length,
      md5: md5Of(bytes),
      mimeType: 'text/plain;charset=UTF-8',
      cacheControl: 'max-age=7',
      size: bytes.length,
      declaredSize: bytes.length,
      robotsTag: 'noindex',
      userMetadata: { a: [1] },
    });
  });

  it('has defaults without these headers', async () => {
    expect(await send({})).toMatchObject({
      bytes: 0,
      size: 0,
      mimeType: 'application/octet-stream',
      cacheControl: 'no-cache',
    });
  });

  it('may be of unknown length', async () => {
    const bytes = newBytes(3000);
    const result = await send({
      body: new Blob([bytes as Buffer<ArrayBuffer>]).stream(),
      duplex: 'half',
    } as RequestInit);
    expect(result).toMatchObject({ bytes: 3000, md5: md5Of(bytes) });
    expect(result).not.toHaveProperty('size');
  });

  it.each(['no base64 of JSON', Buffer.from('[1]').toString('base64')])(
    'ignores invalid metadata: %s',
    async (metadata) => {
      expect(await send({ body: 'a', headers: { 'x-metadata': metadata } })).not.toHaveProperty(
        'userMetadata',
      );
    },
  );
});

describe('a form', () => {
  it('has the properties of the fields before its file', async () => {
    const bytes = newBytes(3 * MEBIBYTE + 11);
    const result = await send({
      body: formOf({ cacheControl: '3600', metadata: '{"b":2}', '': file(bytes) }),
    });
    expect(result).toMatchObject({
      bytes: bytes.length,
      md5: md5Of(bytes),
      mimeType: 'image/png',
      cacheControl: 'max-age=3600',
      userMetadata: { b: 2 },
    });
    expect(result, 'the size of the form is not that of the file').not.toHaveProperty('size');
    expect(result.declaredSize).toBeGreaterThan(bytes.length);
  });

  it.each([
    ['needs no fields', { file: file(Buffer.from('a')) }, { cacheControl: 'no-cache', bytes: 1 }],
    ['accepts an empty file', { file: file(Buffer.alloc(0)) }, { bytes: 0 }],
    [
      'accepts a declared content type',
      { contentType: 'text/css', file: file(Buffer.from('a')) },
      { mimeType: 'text/css' },
    ],
    [
      'accepts metadata under another name',
      { userMetadata: '{"c":3}', file: file(Buffer.from('a')) },
      { userMetadata: { c: 3 } },
    ],
    [
      'ignores fields after the file',
      { file: file(Buffer.from('a')), cacheControl: '9' },
      { cacheControl: 'no-cache' },
    ],
    [
      'accepts one file and ignores others',
      { file: file(Buffer.from('a')), other: file(newBytes(MEBIBYTE)) },
      { bytes: 1 },
    ],
    [
      'accepts content that looks like a form',
      { file: file(Buffer.from('\r\n--x\r\n\r\n--')) },
      { bytes: 11 },
    ],
    [
      'accepts unusual field names',
      { constructor: '1', toString: '2', file: file(Buffer.from('a')) },
      { bytes: 1 },
    ],
  ])('%s', async (_, fields, expected) => {
    expect(await send({ body: formOf(fields as Record<string, string | Blob>) })).toMatchObject(expected);
  });

  it('accepts metadata of one MiB and rejects more', async () => {
    const ofBytes = (bytes: number) => JSON.stringify({ a: 'x'.repeat(bytes - '{"a":""}'.length) });
    const largest = formOf({ metadata: ofBytes(MEBIBYTE), file: file(Buffer.from('a')) });
    expect(await send({ body: largest })).toMatchObject({
      bytes: 1,
      userMetadata: { a: expect.any(String) },
    });
    const more = formOf({ metadata: ofBytes(MEBIBYTE + 1), file: file(Buffer.from('a')) });
    expect(await send({ body: more })).toEqual({ code: 'EntityTooLarge' });
  });

  it.each([10, 11])('accepts up to ten fields: %i', async (count) => {
    const fields = Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, 'x']));
    const result = await send({ body: formOf({ ...fields, file: file(Buffer.from('a')) }) });
    expect(result).toMatchObject(count === 10 ? { bytes: 1 } : { code: 'InvalidRequest' });
  });

  const head = '--b\r\ncontent-disposition: form-data; name="f"; filename="f"\r\n\r\n';
  it.each([
    ['has no parts', 'multipart/form-data; boundary=b', '--b--\r\n'],
    ['is empty', 'multipart/form-data; boundary=b', ''],
    ['declares no boundary', 'multipart/form-data', `${head}a\r\n--b--\r\n`],
    ['has another boundary', 'multipart/form-data; boundary=c', `${head}a\r\n--b--\r\n`],
    ['is truncated in a header', 'multipart/form-data; boundary=b', head.slice(0, 30)],
    [
      'has only fields',
      'multipart/form-data; boundary=b',
      '--b\r\ncontent-disposition: form-data; name="f"\r\n\r\na\r\n--b--\r\n',
    ],
  ])('that %s is rejected', async (_, contentType, body) => {
    expect(await send({ body, headers: { 'content-type': contentType } })).toEqual({
      code: 'NoContentProvided',
    });
  });

  it('that is truncated in its file is rejected', async () => {
    const result = await send({
      body: `${head}the first half`,
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
    });
    expect(result).not.toHaveProperty('bytes');
  });

  it('is parsed in pieces of any size', async () => {
    const bytes = newBytes(600);
    const form = Buffer.concat([Buffer.from(head), bytes, Buffer.from('\r\n--b--\r\n')]);
    for (const chunkBytes of [1, 7, 64, 333]) {
      const result = await sendRaw('multipart/form-data; boundary=b', form, chunkBytes);
      expect(result).toMatchObject({ bytes: 600, md5: md5Of(bytes) });
    }
  });
});

/** Sends a body over a socket in pieces. */
async function sendRaw(
  contentType: string,
  body: Buffer,
  chunkBytes: number,
): Promise<Record<string, unknown>> {
  received = Promise.withResolvers();
  const socket = await openRequest(contentType, body.length);
  for (let at = 0; at < body.length; at += chunkBytes) {
    await new Promise((resolve) => socket.write(body.subarray(at, at + chunkBytes), resolve));
  }
  const result = await received.promise;
  socket.destroy();
  return result;
}

async function openRequest(contentType: string, length: number): Promise<Socket> {
  const socket = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', noDelay: true });
  await once(socket, 'connect');
  socket.resume();
  socket.write(
    `POST / HTTP/1.1\r\nhost: a\r\ncontent-type: ${contentType}\r\ncontent-length: ${length}\r\n\r\n`,
  );
  return socket;
}

describe('a client that disconnects', () => {
  const head = '--b\r\ncontent-disposition: form-data; name="f"; filename="f"\r\n\r\n';
  it.each([
    ['in a raw body', 'text/plain', 'half'],
    ['in the file of a form', 'multipart/form-data; boundary=b', `${head}half`],
    ['before the file of a form', 'multipart/form-data; boundary=b', head.slice(0, 20)],
    ['before its body', 'text/plain', ''],
  ])('%s causes an error and stores no content', async (_, contentType, body) => {
    const socket = await openRequest(contentType, 1000);
    await new Promise((resolve) => socket.write(body, resolve));
    socket.destroy();
    const result = await received.promise;
    expect(result).toHaveProperty('code');
    expect(result).not.toHaveProperty('bytes');
  });
});

it('a rejected form stays unread and can be discarded', async () => {
  const fields = Object.fromEntries(Array.from({ length: 11 }, (_, i) => [`f${i}`, 'x']));
  for (const bytes of [10, 5 * MEBIBYTE])
    expect(await send({ body: formOf({ ...fields, file: file(newBytes(bytes)) }) })).toEqual({
      code: 'InvalidRequest',
    });
});

it.each([
  [{ 'content-length': '10' }, true],
  [{ 'content-length': '11' }, false],
  [{ 'transfer-encoding': 'chunked' }, false],
  [{}, true],
])('a discarded body with %j is short enough to be read to its end: %s', (headers, expected) => {
  expect(discardBody({ headers, body: Readable.from(['x']) }, 10)).toBe(expected);
});
