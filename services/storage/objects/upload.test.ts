import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RequestOptions, StorageServer } from '../testing/storage-server.ts';

const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const OWNER = '5d4ffd0b-4ba9-4f05-9b0c-3a6e9e6f5b6f';
const MD5_OF_HELLO = '"5d41402abc4b2a76b9719d911017c592"';
const TOO_LARGE = { statusCode: '413', error: 'Payload too large', code: 'EntityTooLarge' };
const DUPLICATE = {
  statusCode: '409',
  error: 'Duplicate',
  message: 'The resource already exists',
  code: 'KeyAlreadyExists',
};

let server: StorageServer;

beforeAll(async () => {
  server = await StorageServer.open({ settings: { FILE_SIZE_LIMIT: '2MB' } });
  await server.request('POST /bucket', { body: { name: 'b' } });
  await server.request('POST /bucket', {
    body: { name: 'strict', file_size_limit: 10, allowed_mime_types: ['text/plain', 'image/*'] },
  });
});
afterAll(() => server.close());

const request = (target: string, options?: RequestOptions) => server.request(target, options);

async function rowOf(key: string) {
  const [row] = await server.rows<Record<string, unknown>>('select * from storage.objects where name = $1', [
    key,
  ]);
  return row;
}

function form(fields: Record<string, string>, file?: Blob, name = ''): FormData {
  const data = new FormData();
  for (const [field, value] of Object.entries(fields)) data.append(field, value);
  if (file) data.append(name, file, 'file.txt');
  return data;
}

async function* chunks(bytes: number, size = 64 * 1024) {
  for (let sent = 0; sent < bytes; sent += size) yield Buffer.alloc(Math.min(size, bytes - sent), 'x');
}

describe('a body', () => {
  it('becomes an object', async () => {
    const token = await server.token({ role: 'service_role', sub: OWNER });
    const response = await request('POST /object/b/folder/a.txt', {
      token,
      body: 'hello',
      headers: {
        'content-type': 'text/plain',
        'cache-control': 'max-age=60',
        'x-metadata': Buffer.from('{"a":1}').toString('base64'),
        'x-robots-tag': 'noindex, otherbot: nofollow',
      },
    });
    expect(response).toMatchObject({ status: 200 });
    expect(response.text).toMatch(/^\{"Key":"b\/folder\/a\.txt","Id":"[0-9a-f-]+"\}$/);
    expect(await rowOf('folder/a.txt')).toMatchObject({
      id: (response.json as { Id: string }).Id,
      owner: OWNER,
      owner_id: OWNER,
      version: expect.stringMatching(UUID),
      user_metadata: { a: 1 },
      metadata: {
        eTag: MD5_OF_HELLO,
        size: 5,
        contentLength: 5,
        mimetype: 'text/plain',
        cacheControl: 'max-age=60',
        lastModified: expect.stringMatching(ISO),
        httpStatusCode: 200,
        xRobotsTag: 'noindex, otherbot: nofollow',
      },
    });
  });

  it('has a default type and cache control', async () => {
    await request('POST /object/b/plain', { body: Buffer.from('hello') });
    expect(await rowOf('plain')).toMatchObject({
      owner: null,
      user_metadata: {},
      metadata: { mimetype: 'application/octet-stream', cacheControl: 'no-cache' },
    });
  });

  it('may be JSON or empty', async () => {
    const headers = { 'content-type': 'application/json' };
    await request('POST /object/b/data.json', { body: '{"a":', headers });
    expect((await request('GET /object/b/data.json')).text).toBe('{"a":');
    expect(
      (await request('POST /object/b/empty', { headers: { ...headers, 'content-length': '0' } })).status,
    ).toBe(200);
    expect((await request('GET /object/b/empty')).headers.get('content-length')).toBe('0');
  });

  it('may have an undeclared length', async () => {
    expect((await request('POST /object/b/stream', { body: chunks(1_000_000) })).status).toBe(200);
    expect(await rowOf('stream')).toMatchObject({ metadata: { size: 1_000_000 } });
  });

  it.each(['not base64 of JSON', Buffer.from('[1]').toString('base64'), ''])(
    'ignores invalid metadata: %j',
    async (metadata) => {
      await request('PUT /object/b/metadata', { body: 'x', headers: { 'x-metadata': metadata } });
      expect(await rowOf('metadata')).toMatchObject({ user_metadata: {} });
    },
  );
});

describe('a form', () => {
  const file = new Blob(['hello'], { type: 'text/plain' });

  it('may have the file under any name, after fields', async () => {
    const body = form({ cacheControl: '3600', metadata: '{"b":2}' }, file);
    expect((await request('POST /object/b/form', { body })).status).toBe(200);
    expect(await rowOf('form')).toMatchObject({
      user_metadata: { b: 2 },
      metadata: { eTag: MD5_OF_HELLO, mimetype: 'text/plain', cacheControl: 'max-age=3600', size: 5 },
    });
  });

  it('may have only a type in its fields', async () => {
    const body = form({ contentType: 'image/png', userMetadata: 'no JSON' }, file, 'upload');
    await request('PUT /object/b/form', { body });
    expect(await rowOf('form')).toMatchObject({
      user_metadata: {},
      metadata: { mimetype: 'image/png', cacheControl: 'no-cache' },
    });
  });

  it('without a file is rejected', async () => {
    expect(await request('POST /object/b/none', { body: form({ cacheControl: '1' }) })).toMatchObject({
      status: 400,
      json: { statusCode: '400', error: 'InvalidRequest', code: 'InvalidRequest' },
    });
  });

  it('is limited by the size of its file', async () => {
    const body = () => form({ contentType: 'text/plain' }, new Blob(['0123456789']));
    expect((await request('POST /object/strict/ten', { body: body() })).status).toBe(200);
    const more = form({ contentType: 'text/plain' }, new Blob(['0123456789+']));
    expect(await request('POST /object/strict/eleven', { body: more })).toMatchObject({
      status: 400,
      json: TOO_LARGE,
    });
  });
});

describe('an existing key', () => {
  it('is only overwritten by an upsert, which keeps the id and removes the old content', async () => {
    const { json } = await request('POST /object/b/taken', { body: 'one' });
    const { Id } = json as { Id: string };
    const first = await rowOf('taken');
    expect(await request('POST /object/b/taken', { body: 'two' })).toMatchObject({
      status: 400,
      json: DUPLICATE,
    });
    expect((await request('GET /object/b/taken')).text).toBe('one');
    const headers = { 'x-upsert': 'true' };
    expect((await request('POST /object/b/taken', { body: 'three', headers })).json).toMatchObject({ Id });
    expect((await request('PUT /object/b/taken', { body: 'four' })).json).toMatchObject({ Id });
    expect((await request('GET /object/b/taken')).text).toBe('four');
    const last = await rowOf('taken');
    const contents = await server.contents();
    expect(contents).toContain(last?.version);
    expect(contents).not.toContain(first?.version);
  });

  it('is created by one of many concurrent uploads', async () => {
    const before = await server.contents();
    const responses = await Promise.all(
      Array.from({ length: 8 }, (_, n) => request('POST /object/b/race', { body: `content ${n}` })),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    const winner = responses.findIndex(({ status }) => status === 200);
    expect((await request('GET /object/b/race')).text).toBe(`content ${winner}`);
    expect(responses.filter(({ status }) => status !== 200).map(({ json }) => json)).toEqual(
      Array.from({ length: 7 }, () => DUPLICATE),
    );
    expect(await server.contents()).toHaveLength(before.length + 1);
  });

  it('has one complete content during concurrent overwrites and reads', async () => {
    const before = await server.contents();
    const contents = Array.from({ length: 10 }, (_, n) => String(n).repeat(100_000));
    await request('PUT /object/b/overwritten', { body: contents[0] });
    const writes = contents.map((body) => request('PUT /object/b/overwritten', { body }));
    const reads = contents.map(() => request('GET /object/b/overwritten'));
    for (const { status, json } of await Promise.all(writes))
      expect({ status, json }).toMatchObject({ status: 200 });
    for (const { status, text } of await Promise.all(reads)) {
      expect(status).toBe(200);
      expect(contents).toContain(text);
    }
    expect(await server.contents()).toHaveLength(before.length + 1);
  });
});

describe('an upload', () => {
  const key = (text: string) => ({ statusCode: '400', error: 'InvalidKey', message: `Invalid key: ${text}` });
  const mime = (type: string) => ({ statusCode: '415', message: `mime type ${type} is not supported` });
  const robots = { statusCode: '400', error: 'invalid_x_robots_tag', code: 'InvalidRequest' };
  const plain = { 'content-type': 'text/plain' };

  it.each<[string, RequestOptions, object]>([
    ['POST /object/none/x', { body: 'x' }, { statusCode: '404', code: 'NoSuchBucket' }],
    ['POST /object/b/', { body: 'x' }, key('')],
    ['POST /object/b/a%23b', { body: 'x' }, key('a#b')],
    ['POST /object/b/a~b', { body: 'x' }, key('a~b')],
    ['POST /object/b/a%2525', { body: 'x' }, key('a%25')],
    ['POST /object/b/%C3%A4', { body: 'x' }, key('ä')],
    [`POST /object/b/${'x'.repeat(1025)}`, { body: 'x' }, { code: 'InvalidKey' }],
    ['POST /object/strict/x', { body: '<a>', headers: { 'content-type': 'text/html' } }, mime('text/html')],
    [
      'POST /object/strict/x',
      { body: 'a', headers: { 'content-type': 'text/plain;charset=UTF-8' } },
      mime('text/plain;charset=UTF-8'),
    ],
    ['POST /object/strict/x', { body: 'more than ten bytes', headers: plain }, TOO_LARGE],
    ['POST /object/strict/x', { body: chunks(11), headers: plain }, TOO_LARGE],
    ['POST /object/b/x', { body: Buffer.alloc(2_000_001) }, TOO_LARGE],
    ['POST /object/b/x', { body: chunks(3_000_000) }, TOO_LARGE],
    ['POST /object/b/.emptyFolderPlaceholder', { body: 'x' }, TOO_LARGE],
    ['POST /object/b/x', { body: 'x', headers: { 'x-robots-tag': 'everything' } }, robots],
    ['POST /object/b/x', { body: 'x', token: null }, { message: expect.stringContaining("'authorization'") }],
    ['POST /object/b/x', { body: 'x', token: 'x' }, { statusCode: '403', code: 'AccessDenied' }],
  ])('to %s is rejected with $2', async (target, options, json) => {
    const before = await server.contents();
    expect(await request(target, options)).toMatchObject({ status: 400, json });
    expect(await server.contents()).toEqual(before);
  });

  it('of a placeholder may have any type', async () => {
    const options = { body: '', headers: { 'content-type': 'a/b', 'content-length': '0' } };
    expect((await request('POST /object/strict/f/.emptyFolderPlaceholder', options)).status).toBe(200);
    expect(
      (await request('POST /object/strict/x', { body: 'a', headers: { 'content-type': 'image/png' } }))
        .status,
    ).toBe(200);
  });

  it('stores its key unchanged', async () => {
    const name = "a//b/!-_.*'() &$@=;:+,c";
    const { json } = await request(`POST /object/b/${encodeURIComponent(name)}`, { body: 'odd' });
    expect(json).toMatchObject({ Key: `b/${name}` });
    expect((await request(`GET /object/b/${encodeURI(name)}`)).text).toBe('odd');
  });
});

it('an aborted upload leaves no content behind', async () => {
  const before = await server.contents();
  const { hostname, port, pathname } = new URL(`${server.url}/object/b/broken`);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  socket.write(
    `POST ${pathname} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${server.apiKeys.serviceRole}\r\n` +
      `content-length: 1000000\r\n\r\n${'x'.repeat(500_000)}`,
  );
  await new Promise((resolve) => socket.write('x', resolve));
  socket.destroy();
  await request('PUT /object/b/after', { body: 'x' });
  expect(await rowOf('broken')).toBeUndefined();
  expect(await server.contents()).toHaveLength(before.length + 1);
});

it('counts written objects and bytes', async () => {
  const { written, writtenBytes } = server.instance.context.metrics;
  const read = async () =>
    [(await written.get()).values, (await writtenBytes.get()).values].map(
      (found) => found.find(({ labels }) => labels.by === 'standard')?.value ?? 0,
    );
  const [count = 0, bytes = 0] = await read();
  await request('PUT /object/b/counted', { body: 'hello' });
  expect(await read()).toEqual([count + 1, bytes + 5]);
});
