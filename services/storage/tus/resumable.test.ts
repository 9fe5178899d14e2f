import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { createHttpServer, createMetrics, registerApiScope } from '@greenroom/http';
import { createApiKeyReader } from '@greenroom/keys';
import { createLogger } from '@greenroom/log';
import { Upload, type UploadOptions } from 'tus-js-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { removeAllExpired } from '../expiry.ts';
import { OPEN_STORAGE_PATHS, storagePlugin } from '../plugin.ts';
import { StorageServer } from '../testing/storage-server.ts';
import { expiringResumableUploads } from './expiring.ts';

const MEGABYTE = 1024 * 1024;
const CHUNK_BYTES = 6 * MEGABYTE;

let storage: StorageServer;
beforeAll(async () => {
  storage = await StorageServer.open({
    settings: { FILE_SIZE_LIMIT: '100MB' },
    sql: `
      insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types) values
        ('files', 'files', true, null, null),
        ('small', 'small', true, 10, null),
        ('pictures', 'pictures', true, null, array['image/png']);
      create policy own on storage.objects for all to authenticated
        using (owner_id = auth.jwt() ->> 'sub') with check (bucket_id = 'files' and name like 'mine/%');
    `,
  });
});
afterAll(() => storage.close());

const encode = (metadata: Record<string, string>) =>
  Object.entries(metadata)
    .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
    .join(',');

interface RequestOptions {
  token?: string | null;
  headers?: Record<string, string>;
  body?: Uint8Array | string | ReadableStream;
}

/** Sends a request for an upload, by its URL or by a path below `/upload/resumable`. */
async function request(method: string, target: string, { token, headers, body }: RequestOptions = {}) {
  const bearer = token === undefined ? storage.apiKeys.serviceRole : token;
  const url = target.startsWith('http') ? target : `${storage.url}/upload/resumable${target}`;
  const init = {
    method,
    headers: {
      ...(bearer !== null && { authorization: `Bearer ${bearer}` }),
      'tus-resumable': '1.0.0',
      ...headers,
    },
    ...(body !== undefined && { body, duplex: 'half' }),
  };
  const response = await fetch(url, init as RequestInit);
  return {
    status: response.status,
    headers: response.headers,
    text: await response.text(),
    offset: Number(response.headers.get('upload-offset') ?? Number.NaN),
  };
}

interface Creation extends RequestOptions {
  key?: string;
  bucket?: string;
  length?: number | null;
  metadata?: Record<string, string>;
  path?: string;
}

let count = 0;
const newKey = () => `mine/${++count}.bin`;

function create({ key = newKey(), bucket = 'files', length = 10, metadata, path = '', ...rest }: Creation) {
  return request('POST', path, {
    ...rest,
    headers: {
      ...(length === null ? { 'upload-defer-length': '1' } : { 'upload-length': String(length) }),
      'upload-metadata': encode({ bucketName: bucket, objectName: key, ...metadata }),
      ...rest.headers,
    },
  });
}

async function created(creation: Creation = {}): Promise<string> {
  const response = await create(creation);
  expect([response.status, response.text]).toEqual([201, '']);
  return response.headers.get('location') ?? '';
}

const patch = (
  url: string,
  offset: number,
  body: Uint8Array | string | ReadableStream,
  more: RequestOptions = {},
) =>
  request('PATCH', url, {
    ...more,
    body,
    headers: {
      'content-type': 'application/offset+octet-stream',
      'upload-offset': String(offset),
      ...more.headers,
    },
  });

const rowOf = async (key: string) =>
  (await storage.rows('select * from storage.objects where name = $1', [key]))[0];

async function contentOf(key: string): Promise<Buffer> {
  const row = await rowOf(key);
  const name = { bucket: 'files', key, version: String(row?.version) };
  const chunks = await (await storage.store.read(name)).toArray();
  return Buffer.concat(chunks);
}

const textOf = async (key: string) => (await contentOf(key)).toString();

describe('an upload', () => {
  it('is sent in pieces, and becomes an object when it is complete', async () => {
    const key = newKey();
    const url = await created({
      key,
      metadata: { contentType: 'text/plain', cacheControl: '99', metadata: '{"color":"red"}' },
    });
    const [, id = ''] = url.split('/upload/resumable/');
    expect(url.startsWith(`${storage.url}/upload/resumable/`)).toBe(true);
    expect(Buffer.from(id, 'base64url').toString()).toMatch(new RegExp(`^files/${key}/[0-9a-f-]{36}$`));

    expect(await patch(url, 0, 'hello')).toMatchObject({ status: 204, offset: 5, text: '' });
    expect(await rowOf(key)).toBeUndefined();
    const head = await request('HEAD', url);
    expect(head).toMatchObject({ status: 200, offset: 5 });
    expect(Object.fromEntries(head.headers)).toMatchObject({
      'upload-length': '10',
      'cache-control': 'no-store',
      'tus-resumable': '1.0.0',
      'access-control-allow-origin': '*',
    });
    const last = await patch(url, 5, 'world');
    expect(last).toMatchObject({ status: 204, offset: 10 });
    expect(last.headers.get('tus-complete')).toBe('1');

    expect(await textOf(key)).toBe('helloworld');
    expect(await rowOf(key)).toMatchObject({
      metadata: {
        eTag: expect.stringMatching(/^"[0-9a-f]{32}-2"$/),
        size: 10,
        contentLength: 10,
        mimetype: 'text/plain',
        cacheControl: 'max-age=99',
        httpStatusCode: 200,
      },
      user_metadata: { color: 'red' },
      owner_id: null,
    });
    expect(await request('HEAD', url)).toMatchObject({ status: 200, offset: 10 });
  });

  it('has default metadata and an owner', async () => {
    const key = newKey();
    const token = await storage.token({ sub: '11111111-2222-3333-4444-555555555555' });
    const url = await created({ key, token, length: 2 });
    expect((await patch(url, 0, 'ab', { token })).status).toBe(204);
    expect(await rowOf(key)).toMatchObject({
      metadata: { mimetype: 'application/octet-stream', cacheControl: 'no-cache' },
      user_metadata: null,
      owner_id: '11111111-2222-3333-4444-555555555555',
      owner: '11111111-2222-3333-4444-555555555555',
    });
  });

  it('may include first or all bytes in the creation', async () => {
    const key = newKey();
    const headers = { 'content-type': 'application/offset+octet-stream' };
    const row = await create({ key, body: 'hello', headers });
    expect(row).toMatchObject({ status: 201, offset: 5 });
    await patch(row.headers.get('location') ?? '', 5, 'world');
    expect(await textOf(key)).toBe('helloworld');

    const whole = newKey();
    const response = await create({ key: whole, body: 'helloworld', headers });
    expect(response).toMatchObject({ status: 201, offset: 10 });
    expect(response.headers.get('tus-complete')).toBe('1');
    expect(await textOf(whole)).toBe('helloworld');
    expect(await rowOf(whole)).toMatchObject({
      metadata: { eTag: '"fc5e038d38a57032085441e7fe7010b0"' },
    });
  });

  it('may be empty', async () => {
    const key = newKey();
    const response = await create({ key, length: 0 });
    expect(response.status).toBe(201);
    expect(await rowOf(key)).toMatchObject({ metadata: { size: 0 } });
    expect(await request('HEAD', response.headers.get('location') ?? '')).toMatchObject({
      status: 200,
      offset: 0,
    });
  });

  it('may declare its length later', async () => {
    const key = newKey();
    const url = await created({ key, length: null });
    expect((await patch(url, 0, 'hello')).offset).toBe(5);
    const head = await request('HEAD', url);
    expect([head.headers.get('upload-defer-length'), head.headers.get('upload-length')]).toEqual(['1', null]);
    expect(await patch(url, 5, 'world', { headers: { 'upload-length': '10' } })).toMatchObject({
      status: 204,
      offset: 10,
    });
    expect(await textOf(key)).toBe('helloworld');
  });

  it('may declare its length with an empty last request', async () => {
    const key = newKey();
    const url = await created({ key, length: null });
    await patch(url, 0, 'hello');
    expect(await patch(url, 5, '', { headers: { 'upload-length': '5' } })).toMatchObject({
      status: 204,
      offset: 5,
    });
    expect(await textOf(key)).toBe('hello');
  });

  it('can be larger than its parts, in pieces of any size', async () => {
    const key = newKey();
    const bytes = randomBytes(3 * CHUNK_BYTES + 12_345);
    const url = await created({ key, length: bytes.length });
    const ends = [1000, MEGABYTE, 2 * CHUNK_BYTES + 7, 2 * CHUNK_BYTES + 8, 3 * CHUNK_BYTES, bytes.length];
    let offset = 0;
    for (const end of ends) {
      expect(await patch(url, offset, bytes.subarray(offset, end))).toMatchObject({
        status: 204,
        offset: end,
      });
      offset = end;
    }
    expect((await contentOf(key)).equals(bytes)).toBe(true);
    expect(await rowOf(key)).toMatchObject({ metadata: { size: bytes.length } });
    // The parts have been removed.
    expect(await storage.rows(`select content from storage.resumable_uploads where key = '${key}'`)).toEqual([
      { content: null },
    ]);
  });

  it('overwrites an object with x-upsert', async () => {
    const key = newKey();
    const headers = { 'x-upsert': 'true' };
    for (const text of ['first', 'again']) {
      const url = await created({ key, length: 5, headers });
      expect((await patch(url, 0, text, { headers })).status).toBe(204);
    }
    expect(await textOf(key)).toBe('again');
  });

  it('keeps the received bytes when the connection breaks', async () => {
    const key = newKey();
    const bytes = randomBytes(2 * CHUNK_BYTES);
    const url = await created({ key, length: bytes.length });
    const sent = bytes.subarray(0, CHUNK_BYTES + 1000);
    const broken = new ReadableStream({
      async pull(controller) {
        controller.enqueue(sent);
        // Waits until all bytes are sent before the connection breaks.
        await new Promise((resolve) => setTimeout(resolve, 100));
        controller.error(new Error('broken off'));
      },
    });
    await expect(patch(url, 0, broken)).rejects.toThrow();
    const { offset } = await request('HEAD', url);
    expect(offset).toBe(sent.length);
    expect((await patch(url, offset, bytes.subarray(offset))).offset).toBe(bytes.length);
    expect((await contentOf(key)).equals(bytes)).toBe(true);
  });

  it('can be terminated', async () => {
    const url = await created();
    await patch(url, 0, 'hello');
    expect(await request('DELETE', url)).toMatchObject({ status: 204, text: '' });
    expect((await request('HEAD', url)).status).toBe(404);
    expect((await request('DELETE', url)).status).toBe(404);
  });

  it('cannot be terminated when it is finished', async () => {
    const url = await created({ length: 2 });
    await patch(url, 0, 'ab');
    expect((await request('DELETE', url)).status).toBe(409);
    expect(await request('DELETE', url, { headers: { 'x-upsert': 'true' } })).toMatchObject({
      status: 400,
      text: 'Cannot terminate an already completed upload',
    });
  });
});

it('the URL of an upload includes the base path of the server', async () => {
  const server = createHttpServer({
    log: createLogger('silent'),
    metrics: createMetrics(),
    trustedProxies: ['127.0.0.1'],
    rewriteUrl: (url) => url.replace(/^\/base(?=\/storage)/, ''),
  });
  const { apiKeys, keys, instance } = storage;
  await registerApiScope(server, {
    prefix: '/storage/v1',
    service: storagePlugin,
    serviceOptions: { instance },
    credentials: { readApiKey: createApiKeyReader(apiKeys, keys), requireApiKey: false },
    openPaths: OPEN_STORAGE_PATHS,
  });
  const address = await server.listen({ host: '127.0.0.1', port: 0 });
  try {
    const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'example.org' };
    const response = await create({ path: `${address}/base/storage/v1/upload/resumable`, headers });
    const location = response.headers.get('location') ?? '';
    expect(location).toMatch(/^https:\/\/example\.org\/base\/storage\/v1\/upload\/resumable\/[\w-]+$/);
    const path = location.slice('https://example.org'.length);
    expect((await request('HEAD', address + path)).offset).toBe(0);
  } finally {
    await server.close();
  }
});

describe('errors', () => {
  const zeros = (length: number) => new Uint8Array(length);
  it.each<[string, Creation, number, string]>([
    ['an unknown bucket', { bucket: 'nowhere' }, 404, 'Bucket not found'],
    ['a bucket without a name', { bucket: '' }, 400, 'Bucket name invalid'],
    ['an invalid name', { key: 'a#b' }, 400, 'Invalid key: a#b'],
    [
      'a length above the limit of the bucket',
      { bucket: 'small', length: 11 },
      413,
      'Maximum size exceeded\n',
    ],
    ['a length above the limit of the instance', { length: 100_000_001 }, 413, 'Maximum size exceeded\n'],
    [
      'a type that the bucket does not allow',
      { bucket: 'pictures', metadata: { contentType: 'text/plain' } },
      415,
      'mime type text/plain is not supported',
    ],
    [
      'a rejecting policy',
      { key: 'other/1', token: 'authenticated' },
      403,
      'new row violates row-level security policy',
    ],
    ['a caller without rights', { token: 'anon' }, 403, 'new row violates row-level security policy'],
    ['a missing protocol version', { headers: { 'tus-resumable': '' } }, 412, 'Tus-Resumable Required\n'],
    ['another protocol version', { headers: { 'tus-resumable': '2.0.0' } }, 400, 'Invalid tus-resumable\n'],
    ['missing metadata', { headers: { 'upload-metadata': '' } }, 400, 'Invalid upload-metadata\n'],
    ['an invalid length', { headers: { 'upload-length': '-1' } }, 400, 'Invalid upload-length\n'],
    [
      'both a length and a deferred length',
      { headers: { 'upload-defer-length': '1' } },
      400,
      'Upload-Length or Upload-Defer-Length header required\n',
    ],
  ])('are returned for %s', async (_name, { token, ...creation }, status, text) => {
    const bearer =
      token === 'anon'
        ? storage.apiKeys.anon
        : token === undefined
          ? undefined
          : await storage.token({ sub: 'me' });
    const response = await create({ ...creation, ...(bearer !== undefined && { token: bearer }) });
    expect([response.status, response.text]).toEqual([status, text]);
    expect(response.headers.get('content-type')).toMatch(/^text\/plain/);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
  });

  it('rejects an upload of an existing object', async () => {
    const key = newKey();
    await patch(await created({ key, length: 2 }), 0, 'ab');
    expect(await create({ key })).toMatchObject({ status: 409, text: 'The resource already exists' });
  });

  it('rejects the end if the object exists by then, and accepts it later with x-upsert', async () => {
    const key = newKey();
    const [first, second] = [await created({ key, length: 2 }), await created({ key, length: 2 })];
    await patch(first, 0, 'ab');
    expect(await patch(second, 0, 'cd')).toMatchObject({ status: 409, text: 'The resource already exists' });
    expect(await textOf(key)).toBe('ab');
    expect(await patch(second, 0, 'cd', { headers: { 'x-upsert': 'true' } })).toMatchObject({ status: 204 });
    expect(await textOf(key)).toBe('cd');
  });

  it('rejects bytes at a wrong offset', async () => {
    const url = await created();
    await patch(url, 0, 'hello');
    expect(await patch(url, 0, 'world')).toMatchObject({ status: 409, text: 'Upload-Offset conflict\n' });
    expect(await patch(url, 6, 'orld')).toMatchObject({ status: 409 });
    expect((await request('HEAD', url)).offset).toBe(5);
  });

  it('rejects more bytes than declared', async () => {
    const url = await created();
    expect((await patch(url, 0, 'hello world')).status).toBe(413);
    const stream = Readable.toWeb(Readable.from([zeros(8), zeros(8)])) as ReadableStream;
    expect((await patch(url, 0, stream)).status).toBe(413);
  });

  it('rejects bytes of another content type', async () => {
    const url = await created();
    expect((await patch(url, 0, 'x', { headers: { 'content-type': 'text/plain' } })).status).toBe(400);
  });

  it.each(['HEAD', 'PATCH', 'DELETE'])('rejects missing uploads: %s', async (method) => {
    const headers = { 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' };
    const names = [
      'files/mine/a/00000000-0000-4000-8000-000000000000',
      'files/mine/a/no-version',
      '',
      '//',
      'files/../00000000-0000-4000-8000-000000000000/',
    ];
    for (const name of names) {
      const path = `/${Buffer.from(name).toString('base64url')}`;
      expect((await request(method, path, { headers })).status).toBe(404);
    }
  });

  it('rejects names that do not belong to the upload', async () => {
    const url = await created({ key: 'mine/a.txt' });
    const [base, id = ''] = url.split('/resumable/');
    const other = Buffer.from(Buffer.from(id, 'base64url').toString().replace('a.txt', 'b.txt'));
    expect((await request('HEAD', `${base}/resumable/${other.toString('base64url')}`)).status).toBe(404);
  });

  it.each(['POST', 'PATCH', 'HEAD', 'DELETE'])('rejects requests without a token: %s', async (method) => {
    const url = await created();
    const target = method === 'POST' ? '' : url;
    const anonymous = await request(method, target, { token: null });
    expect(anonymous.status).toBe(400);
    const wrong = await request(method, target, { token: 'nonsense' });
    expect(wrong.status).toBe(400);
    if (method === 'HEAD') return;
    expect(JSON.parse(anonymous.text)).toMatchObject({
      message: `headers must have required property 'authorization'`,
    });
    expect(JSON.parse(wrong.text)).toMatchObject({ statusCode: '403', code: 'AccessDenied' });
  });

  it.each(['PATCH', 'DELETE'])('rejects other callers on each request: %s', async (method) => {
    const url = await created({ key: 'theirs/1', headers: { 'x-upsert': 'true' } });
    const token = await storage.token({ sub: 'me' });
    const headers = { 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' };
    expect(await request(method, url, { token, headers })).toMatchObject({
      status: 403,
      text: 'new row violates row-level security policy',
    });
  });
});

describe('a response to OPTIONS', () => {
  it.each(['', '/', '/sign', '/abc'])('describes the protocol at the path "%s"', async (path) => {
    const { status, headers } = await request('OPTIONS', path, { token: null });
    expect(status).toBe(204);
    expect(Object.fromEntries(headers)).toMatchObject({
      'tus-version': '1.0.0',
      'tus-resumable': '1.0.0',
      'tus-max-size': '100000000',
      'tus-extension': 'creation,creation-with-upload,creation-defer-length,termination,expiration',
      'access-control-allow-origin': '*',
      'access-control-max-age': '86400',
    });
    expect(headers.get('access-control-allow-headers')).toContain('X-Signature');
    expect(headers.get('access-control-expose-headers')).toContain('Upload-Offset');
  });
});

describe('a link', () => {
  const link = (claims: Record<string, unknown>, url: string) =>
    storage.instance.context.links.sign('upload', { ...claims, url }, 60);

  it('is sufficient without a token', async () => {
    const key = newKey();
    const signature = link({ owner: 'somebody', upsert: false }, `files/${key}`);
    const options = { token: null, headers: { 'x-signature': signature } };
    const url = await created({ key, length: 2, path: '/sign', ...options });
    expect(url).toContain('/upload/resumable/sign/');
    expect((await request('HEAD', url, options)).offset).toBe(0);
    expect((await patch(url, 0, 'ab', options)).status).toBe(204);
    expect(await rowOf(key)).toMatchObject({ owner_id: 'somebody', owner: null });
    expect((await create({ key, path: '/sign', ...options })).status).toBe(201);
  });

  it('decides whether it overwrites, regardless of the header', async () => {
    const key = newKey();
    const upload = async (upsert: boolean) => {
      const headers = { 'x-signature': link({ upsert }, `files/${key}`), 'x-upsert': 'true' };
      const url = await created({ key, length: 2, path: '/sign', token: null, headers });
      return (await patch(url, 0, 'ab', { token: null, headers })).status;
    };
    expect([await upload(false), await upload(false), await upload(true)]).toEqual([204, 409, 204]);
  });

  it.each([
    ['missing', () => '', 'Missing x-signature header'],
    ['malformed', () => 'nonsense', 'Invalid Compact JWS'],
    ['for another object', () => link({}, 'files/other'), 'Invalid signature'],
    [
      'for a download',
      () => storage.instance.context.links.sign('download', { url: 'files/mine/x' }, 60),
      'Token is not scoped for upload',
    ],
  ])('is rejected if it is %s', async (_name, signature, text) => {
    const headers = { 'x-signature': signature() };
    const response = await create({ key: 'mine/x', path: '/sign', token: null, headers });
    expect([response.status, response.text]).toEqual([400, text]);
  });
});

describe('an abandoned upload', () => {
  const rest = (key: string) =>
    storage.run(
      `update storage.resumable_uploads set rests_since = now() - interval '2 days' where key = '${key}'`,
    );
  const filesOf = async () => {
    const found: string[] = [];
    for await (const batch of storage.store.list(new Date(Date.now() + 60_000))) {
      found.push(...batch.map((one) => (one.kind === 'content' ? one.name.version : one.upload.version)));
    }
    return found.toSorted();
  };

  it('reports its expiry', async () => {
    const response = await create({});
    const expires = Date.parse(response.headers.get('upload-expires') ?? '');
    expect(expires).toBeGreaterThan(Date.now() + 86_000_000);
    expect(expires).toBeLessThan(Date.now() + 87_000_000);
    const url = response.headers.get('location') ?? '';
    expect(Date.parse((await patch(url, 0, 'a')).headers.get('upload-expires') ?? '')).toBeGreaterThan(0);
  });

  it('is removed with its received bytes', async () => {
    const before = await filesOf();
    const key = newKey();
    const url = await created({ key, length: 2 * CHUNK_BYTES });
    await patch(url, 0, randomBytes(CHUNK_BYTES + 100));
    expect((await filesOf()).length).toBe(before.length + 1);
    await rest(key);
    expect((await request('HEAD', url)).status).toBe(410);
    expect((await patch(url, CHUNK_BYTES + 100, 'more')).status).toBe(410);
    expect(await removeAllExpired(expiringResumableUploads(storage.instance.context))).toBe(1);
    expect((await request('HEAD', url)).status).toBe(404);
    expect(await filesOf()).toEqual(before);
  });

  it('stays an object if it was finished', async () => {
    const key = newKey();
    const url = await created({ key, length: 2 });
    await patch(url, 0, 'ab');
    await rest(key);
    expect(await removeAllExpired(expiringResumableUploads(storage.instance.context))).toBe(1);
    expect((await request('HEAD', url)).status).toBe(404);
    expect(await textOf(key)).toBe('ab');
  });
});

describe('an upload with all bytes but without its object', () => {
  /** Simulates a process that is killed before the object's row is written, by rejecting the row. */
  async function withoutRows(work: () => Promise<void>) {
    await storage.run(`
      create function public.fail() returns trigger language plpgsql as
        'begin if new.version <> ''1'' then raise exception ''no'' using errcode = ''53100''; end if; return new; end';
      create trigger fail before insert on storage.objects for each row execute function public.fail();
    `);
    try {
      await work();
    } finally {
      await storage.run('drop trigger fail on storage.objects; drop function public.fail()');
    }
  }

  it.each([
    ['in one request', 100, [1]],
    ['in small pieces', 100, [0.2, 0.5, 1]],
    ['as one part', -CHUNK_BYTES, [1]],
  ])('is finished when its end is sent again %s', async (_name, more, ends) => {
    const key = newKey();
    const bytes = randomBytes(2 * CHUNK_BYTES + Math.max(more, 0));
    const url = await created({ key, length: bytes.length });
    const start = CHUNK_BYTES + 50;
    await patch(url, 0, bytes.subarray(0, start));
    await withoutRows(async () => {
      expect(await patch(url, start, bytes.subarray(start))).toMatchObject({
        status: 500,
        text: 'database error, code: 53100',
      });
    });
    expect(await rowOf(key)).toBeUndefined();
    let { offset } = await request('HEAD', url);
    expect(offset).toBeLessThan(bytes.length);
    const from = offset;
    for (const part of ends) {
      const end = from + Math.round((bytes.length - from) * part);
      expect((await patch(url, offset, bytes.subarray(offset, end))).offset).toBe(end);
      offset = end;
    }
    expect((await contentOf(key)).equals(bytes)).toBe(true);
    expect(await rowOf(key)).toMatchObject({ metadata: { size: bytes.length } });
  });

  it('can be terminated after its end failed', async () => {
    const key = newKey();
    const url = await created({ key, length: 2 });
    await withoutRows(async () => {
      expect((await patch(url, 0, 'ab')).status).toBe(500);
    });
    expect((await request('DELETE', url)).status).toBe(204);
  });
});

describe('concurrent requests', () => {
  it('a later one continues when the first has released its lease', async () => {
    const url = await created();
    // A client that stalls after half of its bytes.
    const silent = new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from('hello')) });
    const first = patch(url, 0, silent);
    await expect.poll(async () => (await request('HEAD', url)).offset, { timeout: 20_000 }).toBe(5);
    await first.catch(() => undefined);
    expect(await patch(url, 5, 'world')).toMatchObject({ status: 204, offset: 10 });
  });

  it('apply the bytes of exactly one', async () => {
    const key = newKey();
    const url = await created({ key });
    const responses = await Promise.all([1, 2, 3].map(() => patch(url, 0, 'hello')));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([204, 409, 409]);
    await patch(url, 5, 'world');
    expect(await textOf(key)).toBe('helloworld');
  });
});

describe('the client', () => {
  const upload = (bytes: Buffer, options: Partial<UploadOptions> & { key: string }) => {
    const { key, ...rest } = options;
    return new Promise<void>((resolve, reject) => {
      new Upload(bytes, {
        endpoint: `${storage.url}/upload/resumable`,
        headers: { authorization: `Bearer ${storage.apiKeys.serviceRole}` },
        chunkSize: CHUNK_BYTES,
        metadata: { bucketName: 'files', objectName: key, contentType: 'video/mp4', cacheControl: '3600' },
        onError: reject,
        onSuccess: () => resolve(),
        ...rest,
      }).start();
    });
  };

  it.each([
    ['in chunks', {}],
    ['with bytes in the creation', { uploadDataDuringCreation: true }],
    ['in one piece', { chunkSize: Number.POSITIVE_INFINITY }],
    ['of unknown length', { uploadLengthDeferred: true }],
  ])('uploads %s', async (_name, options) => {
    const key = newKey();
    const bytes = randomBytes(2 * CHUNK_BYTES + 500);
    await upload(bytes, { key, ...options });
    expect((await contentOf(key)).equals(bytes)).toBe(true);
    expect(await rowOf(key)).toMatchObject({
      metadata: { mimetype: 'video/mp4', cacheControl: 'max-age=3600' },
    });
  });

  it('uploads with a link', async () => {
    const key = newKey();
    const token = storage.instance.context.links.sign('upload', { url: `files/${key}`, upsert: false }, 60);
    const bytes = randomBytes(CHUNK_BYTES + 1);
    const endpoint = `${storage.url}/upload/resumable/sign`;
    await upload(bytes, { key, endpoint, headers: { 'x-signature': token } });
    expect((await contentOf(key)).equals(bytes)).toBe(true);
  });

  it('pauses and resumes', async () => {
    const key = newKey();
    const bytes = randomBytes(4 * CHUNK_BYTES);
    const options = {
      endpoint: `${storage.url}/upload/resumable`,
      headers: { authorization: `Bearer ${storage.apiKeys.serviceRole}` },
      chunkSize: CHUNK_BYTES,
      metadata: { bucketName: 'files', objectName: key },
    };
    const uploadUrl = await new Promise<string>((resolve, reject) => {
      const first = new Upload(bytes, {
        ...options,
        onError: reject,
        // Pauses in the middle of a chunk.
        onProgress: (sent) => {
          if (sent < 1.5 * CHUNK_BYTES) return;
          void first.abort().then(() => resolve(first.url ?? ''), reject);
        },
      });
      first.start();
    });
    let resumedAt: number | undefined;
    await new Promise<void>((resolve, reject) => {
      new Upload(bytes, {
        ...options,
        uploadUrl,
        onAfterResponse: (request, response) => {
          if (request.getMethod() === 'HEAD') resumedAt = Number(response.getHeader('upload-offset'));
        },
        onError: reject,
        onSuccess: () => resolve(),
      }).start();
    });
    expect(resumedAt).toBeGreaterThanOrEqual(CHUNK_BYTES);
    expect((await contentOf(key)).equals(bytes)).toBe(true);
  });
});

describe('an upload of another caller', () => {
  const ANN = '00000000-0000-4000-8000-00000000000a';
  const BEN = '00000000-0000-4000-8000-00000000000b';
  /** Permits both users to write everything, so that only the principal of an upload matters. */
  async function openToAll(work: () => Promise<void>) {
    await storage.run(
      'create policy open_to_all on storage.objects for all to public using (true) with check (true)',
    );
    try {
      await work();
    } finally {
      await storage.run('drop policy open_to_all on storage.objects');
    }
  }
  const stranger = {
    'another account': () => storage.token({ sub: BEN }),
    'an anonymous caller': async () => storage.apiKeys.anon,
    'the same account with another role': () => storage.token({ sub: ANN, role: 'anon' }),
  };

  it.each(Object.entries(stranger))('is inaccessible to %s', async (_name, tokenOf) => {
    await openToAll(async () => {
      const own = { token: await storage.token({ sub: ANN }) };
      const others = { token: await tokenOf() };
      const url = await created({ ...own, length: 4 });
      expect((await patch(url, 0, 'ab', own)).status).toBe(204);
      const head = await request('HEAD', url, others);
      expect([head.status, head.headers.get('upload-metadata')]).toEqual([403, null]);
      expect((await patch(url, 2, 'cd', others)).status).toBe(403);
      expect((await request('DELETE', url, others)).status).toBe(403);
      const options = await request('OPTIONS', url, others);
      expect([options.status, options.headers.has('upload-offset')]).toEqual([204, false]);
      expect(await request('HEAD', url, own)).toMatchObject({ status: 200, offset: 2 });
      expect((await request('HEAD', url)).offset).toBe(2);
      expect((await patch(url, 2, 'cd', own)).status).toBe(204);
    });
  });

  it('is inaccessible to signed-in callers if it was started anonymously or by service_role', async () => {
    await openToAll(async () => {
      const own = { token: await storage.token({ sub: ANN }) };
      for (const token of [storage.apiKeys.anon, storage.apiKeys.serviceRole]) {
        const url = await created({ token });
        expect((await request('HEAD', url, own)).status).toBe(403);
        expect((await request('DELETE', url, own)).status).toBe(403);
        expect((await request('HEAD', url, { token })).status).toBe(200);
      }
    });
  });

  it('is inaccessible to links of other accounts, and to sessions if a link started it', async () => {
    await openToAll(async () => {
      const key = newKey();
      const linkOf = async (sub: string) => {
        const { json } = await storage.request(`POST /object/upload/sign/files/${key}`, {
          token: await storage.token({ sub }),
          body: {},
        });
        return { token: null, headers: { 'x-signature': (json as { token: string }).token } };
      };
      const [anns, bens] = [await linkOf(ANN), await linkOf(BEN)];
      const url = await created({ ...anns, key, path: '/sign', length: 2 });
      expect((await request('HEAD', url, bens)).status).toBe(403);
      expect((await patch(url, 0, 'ab', bens)).status).toBe(403);
      expect((await request('DELETE', url, bens)).status).toBe(403);
      const session = { token: await storage.token({ sub: BEN }) };
      expect((await request('HEAD', url.replace('/sign/', '/'), session)).status).toBe(403);
      expect((await request('HEAD', url, anns)).status).toBe(200);
      expect((await patch(url, 0, 'ab', anns)).status).toBe(204);
    });
  });

  it('cannot be interrupted by another caller', async () => {
    await openToAll(async () => {
      const own = { token: await storage.token({ sub: ANN }) };
      const url = await created({ ...own, length: 4 });
      const body = new Readable({ read() {} });
      body.push('ab');
      const sending = patch(url, 0, Readable.toWeb(body) as ReadableStream, own);
      const isLeased = () =>
        storage.rows('select from storage.resumable_uploads where lease_holder is not null');
      await expect.poll(isLeased).toHaveLength(1);
      expect((await request('HEAD', url, { token: await storage.token({ sub: BEN }) })).status).toBe(403);
      expect(await storage.rows('select from storage.resumable_uploads where is_lease_wanted')).toEqual([]);
      body.push('cd');
      body.push(null);
      expect((await sending).status).toBe(204);
    });
  });

  it('needs policies if it was started before rows recorded the principal', async () => {
    const url = await created();
    await storage.run('update storage.resumable_uploads set begun_by = null where not is_finished');
    const token = await storage.token({ sub: BEN });
    expect((await request('HEAD', url, { token: storage.apiKeys.anon })).status).toBe(403);
    expect((await request('HEAD', url, { token })).status).toBe(200);
  });
});
