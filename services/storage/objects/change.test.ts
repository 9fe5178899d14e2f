import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { StorageServer } from '../testing/storage-server.ts';

const NO_KEY = { statusCode: '404', error: 'not_found', code: 'NoSuchKey' };
const USER_METADATA = { a: 'b' };

let server: StorageServer;
const request: StorageServer['request'] = (target, options) => server.request(target, options);
const move = (body: object) => request('POST /object/move', { body: { bucketId: 'b', ...body } });
const copy = (body: object, headers = {}) =>
  request('POST /object/copy', { body: { bucketId: 'b', ...body }, headers });
const text = async (path: string) => (await request(`GET /object/${path}`)).text;
const row = async (key: string) =>
  (await server.rows<Record<string, unknown>>('select * from storage.objects where name = $1', [key]))[0];

beforeAll(async () => {
  server = await StorageServer.open();
  await request('POST /bucket', { body: { name: 'b' } });
  await request('POST /bucket', { body: { name: 'c' } });
});
beforeEach(async () => {
  await request('POST /bucket/b/empty');
  await request('POST /bucket/c/empty');
  const metadata = Buffer.from(JSON.stringify(USER_METADATA)).toString('base64');
  const headers = { 'content-type': 'text/plain', 'cache-control': 'max-age=1', 'x-metadata': metadata };
  await request('POST /object/b/one', { body: 'one', headers });
  await request('POST /object/b/two', { body: 'two', headers });
});
afterAll(() => server.close());

describe('deleting', () => {
  it('removes an object and its content', async () => {
    expect((await request('DELETE /object/b/one')).json).toEqual({ message: 'Successfully deleted' });
    expect((await request('GET /object/b/one')).json).toMatchObject(NO_KEY);
    expect(await server.contents()).toHaveLength(1);
    expect((await request('DELETE /object/b/one')).json).toMatchObject(NO_KEY);
    expect((await request('DELETE /object/none/one')).json).toMatchObject(NO_KEY);
  });

  it('removes many objects and returns them', async () => {
    const found = await row('two');
    const { json } = await request('DELETE /object/b', { body: { prefixes: ['two', 'none', 'on', 'two'] } });
    expect(json).toEqual([
      {
        name: 'two',
        bucket_id: 'b',
        owner: '',
        owner_id: '',
        version: found?.version,
        id: found?.id,
        updated_at: expect.stringMatching(/Z$/),
        created_at: expect.stringMatching(/Z$/),
        last_accessed_at: expect.stringMatching(/Z$/),
        metadata: found?.metadata,
        user_metadata: USER_METADATA,
      },
    ]);
    expect(await server.contents()).toHaveLength(1);
    expect((await request('DELETE /object/b', { body: { prefixes: ['none'] } })).json).toEqual([]);
  });

  it.each([
    [{}, "body must have required property 'prefixes'"],
    [{ prefixes: [] }, 'body/prefixes must NOT have fewer than 1 items'],
    [{ prefixes: [{}] }, 'body/prefixes/0 must be string'],
    [{ prefixes: Array(1001).fill('x') }, 'body/prefixes must NOT have more than 1000 items'],
  ])('rejects $0', async (body, message) => {
    expect(await request('DELETE /object/b', { body })).toMatchObject({ status: 400, json: { message } });
  });
});

describe('moving', () => {
  it('keeps the id and the content under a new version', async () => {
    const before = await row('one');
    expect((await move({ sourceKey: 'one', destinationKey: 'new/one' })).text).toBe(
      '{"message":"Successfully moved"}',
    );
    const after = await row('new/one');
    expect(after).toMatchObject({ id: before?.id, metadata: before?.metadata, user_metadata: USER_METADATA });
    expect(after?.version).not.toBe(before?.version);
    expect(await text('b/new/one')).toBe('one');
    expect((await request('GET /object/b/one')).json).toMatchObject(NO_KEY);
    expect(await server.contents()).toHaveLength(2);
  });

  it('works across buckets and onto itself', async () => {
    await move({ sourceKey: 'one', destinationKey: 'one', destinationBucket: 'c' });
    expect(await text('c/one')).toBe('one');
    expect((await move({ sourceKey: 'two', destinationKey: 'two' })).status).toBe(200);
    expect(await text('b/two')).toBe('two');
    expect(await server.contents()).toHaveLength(2);
  });

  it.each<[object, object]>([
    [{ sourceKey: 'none', destinationKey: 'x' }, NO_KEY],
    [
      { sourceKey: 'one', destinationKey: 'two' },
      { statusCode: '409', code: 'ResourceAlreadyExists' },
    ],
    [{ sourceKey: 'one', destinationKey: 'ä' }, { code: 'InvalidKey' }],
    [{ sourceKey: 'one', destinationKey: '' }, { code: 'InvalidKey' }],
    [
      { sourceKey: 'one', destinationKey: 'x', destinationBucket: 'none' },
      { statusCode: '404', message: 'The related resource does not exist', code: 'InvalidRequest' },
    ],
    [{ sourceKey: 'one' }, { message: "body must have required property 'destinationKey'" }],
  ])('rejects %j without changing anything', async (body, json) => {
    expect(await move(body)).toMatchObject({ status: 400, json });
    expect([await text('b/one'), await text('b/two')]).toEqual(['one', 'two']);
    expect(await server.contents()).toHaveLength(2);
  });

  it('succeeds for one of two concurrent moves', async () => {
    const responses = await Promise.all(
      ['x', 'y', 'z'].map((destinationKey) => move({ sourceKey: 'one', destinationKey })),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await server.contents()).toHaveLength(2);
  });

  it('keeps both contents when two objects are swapped concurrently', async () => {
    await Promise.all([
      move({ sourceKey: 'one', destinationKey: 'two' }),
      move({ sourceKey: 'two', destinationKey: 'one' }),
      request('PUT /object/b/one', { body: 'three' }),
    ]);
    for (const { name } of await server.rows<{ name: string }>('select name from storage.objects')) {
      expect(['one', 'two', 'three']).toContain(await text(`b/${name}`));
    }
    expect(await server.contents()).toHaveLength(2);
  });
});

describe('copying', () => {
  it('creates another object', async () => {
    const { json } = await copy({ sourceKey: 'one', destinationKey: 'copy', destinationBucket: 'c' });
    const [source, copied] = [await row('one'), await row('copy')];
    expect(json).toMatchObject({
      Key: 'c/copy',
      Id: copied?.id,
      id: copied?.id,
      name: 'copy',
      bucket_id: 'c',
      version: copied?.version,
      metadata: {
        eTag: '"f97c5d29941bfb1b2fdab0874906ab82"',
        mimetype: 'text/plain',
        cacheControl: 'max-age=1',
      },
      user_metadata: USER_METADATA,
    });
    expect(copied?.id).not.toBe(source?.id);
    await request('DELETE /object/b/one');
    expect(await text('c/copy')).toBe('one');
  });

  it('overwrites only with upsert', async () => {
    const body = { sourceKey: 'one', destinationKey: 'two' };
    expect(await copy(body)).toMatchObject({
      status: 400,
      json: { statusCode: '409', error: 'Duplicate', code: 'KeyAlreadyExists' },
    });
    expect((await copy(body, { 'x-upsert': 'true' })).status).toBe(200);
    expect(await text('b/two')).toBe('one');
    expect(await server.contents()).toHaveLength(2);
  });

  it('replaces metadata', async () => {
    const metadata = { cacheControl: 'max-age=77' };
    const body = { sourceKey: 'one', destinationKey: 'copy', copyMetadata: false, metadata };
    const headers = { 'x-metadata': Buffer.from('{"c":1}').toString('base64') };
    await copy(body, headers);
    expect(await row('copy')).toMatchObject({
      metadata: { cacheControl: 'max-age=77', mimetype: 'text/plain', size: 3 },
      user_metadata: { c: 1 },
    });
    await copy({ ...body, destinationKey: 'bare', metadata: { mimetype: 'a/b' } });
    expect(await row('bare')).toMatchObject({
      metadata: { cacheControl: 'max-age=1', mimetype: 'a/b' },
      user_metadata: null,
    });
  });

  it.each<[object, object]>([
    [{ sourceKey: 'none', destinationKey: 'x' }, NO_KEY],
    [{ sourceKey: 'one', destinationKey: 'x#' }, { code: 'InvalidKey' }],
    [
      { sourceKey: 'one', destinationKey: 'x', destinationBucket: 'none' },
      { statusCode: '404', code: 'InvalidRequest' },
    ],
    [{ destinationKey: 'x' }, { message: "body must have required property 'sourceKey'" }],
  ])('rejects %j', async (body, json) => {
    expect(await copy(body)).toMatchObject({ status: 400, json });
    expect(await server.contents()).toHaveLength(2);
  });

  it('rejects rows without content', async () => {
    await server.run(
      `insert into storage.objects (bucket_id, name, version) values ('b', 'ghost', gen_random_uuid()), ('b', 'ghost2', null)`,
    );
    for (const sourceKey of ['ghost', 'ghost2']) {
      const missing = { status: 400, json: { statusCode: '404', message: 'The resource was not found' } };
      expect(await copy({ sourceKey, destinationKey: 'x' })).toMatchObject(missing);
      expect(await move({ sourceKey, destinationKey: 'x' })).toMatchObject(missing);
    }
  });
});
