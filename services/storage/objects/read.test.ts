import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { StorageServer } from '../testing/storage-server.ts';

const ETAG = '"5d41402abc4b2a76b9719d911017c592"';
const NO_BUCKET = { statusCode: '404', error: 'Bucket not found', code: 'NoSuchBucket' };
const NO_KEY = { statusCode: '404', error: 'not_found', message: 'Object not found', code: 'NoSuchKey' };
const NO_TOKEN = { message: "headers must have required property 'authorization'" };

let server: StorageServer;
let lastModified: string;

const request: StorageServer['request'] = (target, options) => server.request(target, options);

beforeAll(async () => {
  server = await StorageServer.open();
  await request('POST /bucket', { body: { name: 'open', public: true } });
  await request('POST /bucket', { body: { name: 'closed' } });
  const headers = { 'content-type': 'text/plain', 'cache-control': 'max-age=60' };
  await request('POST /object/open/a/b.txt', { body: 'hello', headers });
  await request('POST /object/closed/a/b.txt', { body: 'hello', headers });
  // The second upload may have ended in the next second.
  const [row] = await server.rows<{ at: string }>(
    `update storage.objects set metadata = metadata || jsonb_build_object('lastModified',
      (select min(metadata ->> 'lastModified') from storage.objects))
      returning metadata ->> 'lastModified' as at`,
  );
  lastModified = new Date(row?.at ?? '').toUTCString();
});
afterAll(() => server.close());

describe('content', () => {
  it('is served with its metadata as headers', async () => {
    const { status, text, headers } = await request('GET /object/closed/a/b.txt');
    expect({ status, text }).toEqual({ status: 200, text: 'hello' });
    expect(Object.fromEntries(headers)).toMatchObject({
      'accept-ranges': 'bytes',
      'cache-control': 'max-age=60',
      'content-length': '5',
      'content-type': 'text/plain',
      etag: ETAG,
      'last-modified': expect.stringContaining('GMT'),
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'none',
    });
    expect(headers.has('content-disposition')).toBe(false);
  });

  it.each([
    ['text/html', 'text/plain'],
    ['TEXT/HTML; charset=utf-8', 'text/plain'],
    ['image/svg+xml', 'image/svg+xml'],
    ['application/xml', 'application/xml'],
  ])('of type %s cannot run scripts on our origin', async (type, expected) => {
    await request('PUT /object/open/active', { body: '<script>', headers: { 'content-type': type } });
    const { headers } = await request('GET /object/public/open/active', { token: null });
    expect(headers.get('content-type')).toBe(expected);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toContain('sandbox');
  });

  it.each([
    ['download', 'attachment;'],
    ['download=', 'attachment;'],
    ['download=na%C3%AFve.txt', "attachment; filename=na%C3%AFve.txt; filename*=UTF-8''na%C3%AFve.txt"],
    ['download=a%22%0D%0Ax:y', "attachment; filename=a%22%0D%0Ax%3Ay; filename*=UTF-8''a%22%0D%0Ax%3Ay"],
  ])('is downloaded as a file with ?%s', async (query, disposition) => {
    const { headers } = await request(`GET /object/public/open/a/b.txt?${query}&cacheNonce=1`);
    expect(headers.get('content-disposition')).toBe(disposition);
  });

  it.each([
    ['bytes=1-3', 'ell', 'bytes 1-3/5'],
    ['bytes=1-', 'ello', 'bytes 1-4/5'],
    ['bytes=-2', 'lo', 'bytes 3-4/5'],
    ['bytes=0-99', 'hello', 'bytes 0-4/5'],
  ])('is served in the range %s', async (range, text, contentRange) => {
    const response = await request('GET /object/closed/a/b.txt', { headers: { range } });
    expect(response).toMatchObject({ status: 206, text });
    expect(response.headers.get('content-range')).toBe(contentRange);
  });

  it.each(['bytes=5-', 'bytes=0-1,3-4', 'bytes=3-1', 'bytes=', 'lines=1-2'])(
    'rejects the range %s',
    async (range) => {
      expect(await request('GET /object/closed/a/b.txt', { headers: { range } })).toMatchObject({
        status: 416,
        json: {
          statusCode: '416',
          error: 'invalid_range',
          message: 'invalid range provided',
          code: 'InvalidRange',
        },
      });
    },
  );

  it('is not sent again if it is unchanged', async () => {
    const same = await request('GET /object/closed/a/b.txt', { headers: { 'if-none-match': ETAG } });
    expect(same).toMatchObject({ status: 304, text: '' });
    const since = await request('GET /object/closed/a/b.txt', {
      headers: { 'if-modified-since': lastModified },
    });
    expect([200, 304]).toContain(since.status);
    const future = new Date(Date.now() + 60_000).toUTCString();
    expect(
      (await request('GET /object/closed/a/b.txt', { headers: { 'if-modified-since': future } })).status,
    ).toBe(304);
    const other = await request('GET /object/closed/a/b.txt', { headers: { 'if-none-match': '"other"' } });
    expect(other.status).toBe(200);
    expect(other.headers.get('cache-control')).toBe('max-age=60, stale-while-revalidate=30');
  });

  it('is served with valid robots rules only', async () => {
    const headers = { 'x-robots-tag': 'unavailable_after: 25 Jun 2040 15:00:00 PST, noindex' };
    await request('PUT /object/open/robots', { body: 'x', headers });
    const tag = async () => (await request('GET /object/public/open/robots')).headers.get('x-robots-tag');
    expect(await tag()).toBe(headers['x-robots-tag']);
    await server.rows(
      `update storage.objects set metadata = metadata || '{"xRobotsTag":"x\\r\\ny"}' where name = 'robots'`,
    );
    expect(await tag()).toBe('none');
  });
});

describe('HEAD', () => {
  it("responds with the row's metadata", async () => {
    for (const door of ['', '/authenticated', '/public']) {
      const response = await request(`HEAD /object${door}/open/a/b.txt`);
      expect(response).toMatchObject({ status: 200, text: '' });
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-length': '5',
        'content-type': 'text/plain',
        etag: ETAG,
        'cache-control': 'max-age=60',
      });
    }
  });

  it('has separate conditions, and errors without a body', async () => {
    const same = await request('HEAD /object/open/a/b.txt', { headers: { 'if-none-match': ETAG } });
    expect([same.status, same.headers.get('cache-control')]).toEqual([200, 'max-age=60']);
    const other = await request('HEAD /object/open/a/b.txt', { headers: { 'if-none-match': '"x"' } });
    expect(other.headers.get('cache-control')).toBe('max-age=60, must-revalidate');
    expect(await request('HEAD /object/open/none')).toMatchObject({ status: 400, text: '' });
  });
});

describe('information', () => {
  it("contains the row's metadata", async () => {
    const [row] = await server.rows<{ id: string; version: string }>(
      `select * from storage.objects where bucket_id = 'closed'`,
    );
    expect((await request('GET /object/info/closed/a/b.txt')).json).toEqual({
      id: row?.id,
      name: 'a/b.txt',
      version: row?.version,
      bucket_id: 'closed',
      size: 5,
      content_type: 'text/plain',
      cache_control: 'max-age=60',
      etag: ETAG,
      metadata: {},
      last_modified: expect.stringMatching(/\.\d{3}Z$/),
      created_at: expect.stringMatching(/\.\d{3}Z$/),
    });
  });

  it.each([
    'GET /object/info/closed/a/b.txt',
    'HEAD /object/info/closed/a/b.txt',
    'GET /object/info/public/open/a/b.txt',
    'HEAD /object/info/public/open/a/b.txt',
    'GET /object/info/authenticated/closed/a/b.txt',
    'HEAD /object/info/authenticated/closed/a/b.txt',
  ])('by %s has the validators of the content as headers', async (target) => {
    const { status, headers } = await request(target);
    expect(status).toBe(200);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      etag: ETAG,
      'last-modified': lastModified,
      'cache-control': 'max-age=60',
    });
  });
});

describe('access', () => {
  const anon = null;

  it.each<[string, 'anon' | 'user' | 'service' | 'wrong', number, object | undefined]>([
    ['/object/public/open/a/b.txt', 'anon', 200, undefined],
    ['/object/public/open/a/b.txt', 'wrong', 200, undefined],
    ['/object/public/closed/a/b.txt', 'service', 400, NO_BUCKET],
    ['/object/public/none/a/b.txt', 'anon', 400, NO_BUCKET],
    ['/object/public/open/none', 'anon', 400, NO_KEY],
    ['/object/open/a/b.txt', 'anon', 200, undefined],
    ['/object/open/a/b.txt', 'wrong', 200, undefined],
    ['/object/open/a/b.txt', 'user', 200, undefined],
    ['/object/open/none', 'user', 400, NO_KEY],
    ['/object/closed/a/b.txt', 'anon', 400, NO_BUCKET],
    ['/object/closed/a/b.txt', 'wrong', 400, NO_BUCKET],
    ['/object/closed/a/b.txt', 'user', 400, NO_KEY],
    ['/object/closed/a/b.txt', 'service', 200, undefined],
    ['/object/none/a/b.txt', 'service', 400, NO_BUCKET],
    ['/object/authenticated/open/a/b.txt', 'anon', 400, NO_TOKEN],
    ['/object/authenticated/open/a/b.txt', 'wrong', 400, { statusCode: '403', code: 'AccessDenied' }],
    ['/object/authenticated/open/a/b.txt', 'user', 200, undefined],
    ['/object/authenticated/closed/a/b.txt', 'user', 400, NO_KEY],
    ['/object/authenticated/closed/a/b.txt', 'service', 200, undefined],
    ['/object/info/open/a/b.txt', 'anon', 200, undefined],
    ['/object/info/closed/a/b.txt', 'anon', 400, NO_BUCKET],
    ['/object/info/closed/a/b.txt', 'user', 400, NO_KEY],
    ['/object/info/public/open/a/b.txt', 'anon', 200, undefined],
    ['/object/info/public/closed/a/b.txt', 'service', 400, NO_BUCKET],
    ['/object/info/authenticated/open/a/b.txt', 'anon', 400, NO_TOKEN],
    ['/object/info/authenticated/closed/a/b.txt', 'service', 200, undefined],
  ])('by GET to %s as %s has the status %i', async (path, who, status, json) => {
    const tokens = { anon, user: await server.token(), service: undefined, wrong: 'x.y.z' };
    const response = await request(`GET ${path}`, { token: tokens[who] });
    expect(response.status).toBe(status);
    if (json) expect(response.json).toMatchObject(json);
  });

  it('to a public bucket is independent of policies', async () => {
    await server.run(
      `create policy broken on storage.objects for select to authenticated using (1 / (length(name) - length(name)) > 0)`,
    );
    const token = await server.token();
    expect((await request('GET /object/open/a/b.txt', { token })).text).toBe('hello');
    expect(await request('GET /object/closed/a/b.txt', { token })).toMatchObject({
      status: 500,
      json: { statusCode: '500', message: 'database error, code: 22012', code: 'DatabaseError' },
    });
    await server.run('drop policy broken on storage.objects');
  });
});

describe('rows inserted by SQL', () => {
  it('without content are not found', async () => {
    await server.run(`insert into storage.objects (bucket_id, name, version, metadata) values
      ('open', 'ghost', null, '{"size": 3}'), ('open', 'ghost2', gen_random_uuid(), '{"size": 3}'), ('open', 'ghost3', '1', null)`);
    for (const name of ['ghost', 'ghost2', 'ghost3']) {
      const response = await request(`GET /object/public/open/${name}`);
      expect(response).toMatchObject({
        status: 400,
        json: {
          statusCode: '404',
          error: 'Not found',
          message: 'The resource was not found',
          code: 'NoSuchKey',
        },
      });
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect((await request(`GET /object/info/open/${name}`)).status).toBe(200);
    }
  });

  it('with arbitrary metadata are served safely', async () => {
    await request('PUT /object/open/odd', { body: 'hello' });
    await server.rows(`update storage.objects set name = 'odd2', metadata =
      '{"mimetype": 5, "cacheControl": "a\\r\\nb: c", "eTag": ["x"], "lastModified": "x", "size": "5"}' where name = 'odd'`);
    const { status, text, headers } = await request('GET /object/public/open/odd2');
    expect({ status, text }).toEqual({ status: 200, text: 'hello' });
    expect(headers.get('content-type')).toBe('application/octet-stream');
    expect(headers.has('etag')).toBe(false);
    expect(headers.has('b')).toBe(false);
  });
});
