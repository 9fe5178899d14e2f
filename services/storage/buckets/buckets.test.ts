import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { StorageServer } from '../testing/storage-server.ts';

const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

let server: StorageServer;
let authenticated: string;

beforeAll(async () => {
  server = await StorageServer.open();
  authenticated = await server.token({ sub: '5d4ffd0b-4ba9-4f05-9b0c-3a6e9e6f5b6f' });
});
afterAll(() => server.close());

const request: StorageServer['request'] = (target, options) => server.request(target, options);

describe('a bucket', () => {
  it('is created, read, listed, changed and deleted', async () => {
    const created = await request('POST /bucket', {
      body: { name: 'docs', file_size_limit: '1KB', allowed_mime_types: ['text/plain', ''] },
    });
    expect(created).toMatchObject({ status: 200, json: { name: 'docs' } });
    const { json } = await request('GET /bucket/docs');
    expect(json).toEqual({
      id: 'docs',
      name: 'docs',
      owner: '',
      public: false,
      file_size_limit: 1000,
      allowed_mime_types: ['text/plain'],
      created_at: expect.stringMatching(ISO),
      updated_at: expect.stringMatching(ISO),
    });
    expect((await request('GET /bucket')).json).toEqual([
      expect.objectContaining({ id: 'docs', type: 'STANDARD' }),
    ]);
    const changed = await request('PUT /bucket/docs', {
      body: { id: 'docs', name: 'docs', public: true, file_size_limit: null, allowed_mime_types: null },
    });
    expect(changed).toMatchObject({ status: 200, json: { message: 'Successfully updated' } });
    expect((await request('GET /bucket/docs')).json).toMatchObject({
      public: true,
      file_size_limit: null,
      allowed_mime_types: null,
    });
    expect((await request('DELETE /bucket/docs')).json).toEqual({ message: 'Successfully deleted' });
    expect((await request('GET /bucket/docs')).json).toEqual({
      statusCode: '404',
      error: 'Bucket not found',
      message: 'Bucket not found',
      code: 'NoSuchBucket',
    });
  });

  it('may have an id that differs from its name, and is addressed by the id', async () => {
    await request('POST /bucket', { body: { name: 'Photos', id: 'photos-1' } });
    expect((await request('GET /bucket/photos-1')).json).toMatchObject({ name: 'Photos' });
    expect((await request('GET /bucket/Photos')).json).toMatchObject({ code: 'NoSuchBucket' });
    await request('DELETE /bucket/photos-1');
  });

  it('can be deleted after it was emptied', async () => {
    await request('POST /bucket', { body: { name: 'full' } });
    await server.run(`insert into storage.objects (bucket_id, name, version)
      select 'full', 'object-' || n, gen_random_uuid() from generate_series(1, 2345) as n`);
    expect(await request('DELETE /bucket/full')).toMatchObject({
      status: 400,
      json: { statusCode: '409', error: 'ResourceNotEmpty', code: 'ResourceNotEmpty' },
    });
    for (let time = 0; time < 2; time += 1) {
      expect((await request('POST /bucket/full/empty')).json).toEqual({
        message: 'Empty bucket has been queued. Completion may take up to an hour.',
      });
    }
    expect((await request('DELETE /bucket/full')).status).toBe(200);
  });

  it('cannot be deleted while multipart uploads are pending', async () => {
    await request('POST /bucket', { body: { name: 'pending' } });
    await server.run(`insert into storage.s3_multipart_uploads (id, upload_signature, bucket_id, key, version)
      values ('u', 's', 'pending', 'k', 'v')`);
    expect(await request('DELETE /bucket/pending')).toMatchObject({
      status: 400,
      json: { statusCode: '409', code: 'ResourceReferenced' },
    });
    await server.run(`delete from storage.s3_multipart_uploads`);
    expect((await request('DELETE /bucket/pending')).status).toBe(200);
  });
});

describe('lists of buckets', () => {
  beforeAll(async () => {
    for (const name of ['alpha', 'be_ta', 'deXta', 'gamma'])
      await request('POST /bucket', { body: { name } });
  });
  afterAll(async () => {
    for (const name of ['alpha', 'be_ta', 'deXta', 'gamma']) await request(`DELETE /bucket/${name}`);
  });

  it.each([
    ['sortColumn=name&sortOrder=desc&limit=2', ['gamma', 'deXta']],
    ['sortColumn=id&limit=2&offset=1', ['be_ta', 'deXta']],
    ['search=e_t', ['be_ta']],
    ['search=GAM', ['gamma']],
    ['search=%25', []],
  ])('contain for %s the buckets %j', async (query, names) => {
    const { json } = await request(`GET /bucket?${query}`);
    // Names are in the order of the database.
    const found = (json as { name: string }[]).map(({ name }) => name);
    expect(found.toSorted()).toEqual(names.toSorted());
  });

  it.each([
    ['limit=0', 'querystring/limit must be >= 1'],
    ['limit=x', 'querystring/limit must be integer'],
    ['limit=Infinity', 'querystring/limit must be a whole number'],
    ['offset=-1', 'querystring/offset must be >= 0'],
    ['sortColumn=owner', 'querystring/sortColumn must be equal to one of the allowed values'],
    ['sortOrder=up', 'querystring/sortOrder must be equal to one of the allowed values'],
  ])('reject %s', async (query, message) => {
    expect(await request(`GET /bucket?${query}`)).toMatchObject({
      status: 400,
      json: { statusCode: '400', error: 'Error', message, code: 'InvalidRequest' },
    });
  });

  it.each([
    ['x-client-info', 'supabase-py/2.17.9', false],
    ['x-client-info', 'supabase-py/2.18.0', true],
    ['user-agent', 'supabase-py/storage3 v0.12.0', false],
    ['user-agent', 'supabase-py/storage3 v0.12.1', true],
    ['x-client-info', 'supabase-js/1.0.0', true],
  ])('contain types for the header %s with the value %s: %s', async (name, value, hasType) => {
    const { json } = await request('GET /bucket?limit=1', { headers: { [name]: value } });
    expect(json).toEqual([
      hasType
        ? expect.objectContaining({ type: 'STANDARD' })
        : expect.not.objectContaining({ type: 'STANDARD' }),
    ]);
  });
});

describe('errors', () => {
  const schema = (message: unknown) => ({
    statusCode: '400',
    error: 'Error',
    message,
    code: 'InvalidRequest',
  });
  const name = {
    statusCode: '400',
    error: 'Invalid Input',
    message: 'Bucket name invalid',
    code: 'InvalidBucketName',
  };
  const mime = (type: string) => ({
    statusCode: '415',
    error: 'invalid_mime_type',
    message: `mime type ${type} is not supported`,
    code: 'InvalidMimeType',
  });

  it.each<[string, unknown, object]>([
    ['POST /bucket', {}, schema("body must have required property 'name'")],
    ['POST /bucket', { name: ['a', 'b'] }, schema('body/name must be string')],
    ['POST /bucket', 'text', schema('body must be object')],
    ['POST /bucket', { name: '' }, name],
    ['POST /bucket', { name: ' x' }, name],
    ['POST /bucket', { name: 'a/b' }, name],
    ['POST /bucket', { name: 'ä' }, name],
    ['POST /bucket', { name: 'x'.repeat(101) }, name],
    ['POST /bucket', { name: 'x--table-s3' }, name],
    ['POST /bucket', { name: 'x', id: 'a/b' }, name],
    ['POST /bucket', { name: 'x', allowed_mime_types: ['text'] }, mime('text')],
    ['POST /bucket', { name: 'x', type: 'ANALYTICS' }, { statusCode: '409', code: 'FeatureNotEnabled' }],
    [
      'POST /bucket',
      { name: 'x', type: 'OTHER' },
      { message: 'body/type must be equal to one of the allowed values' },
    ],
    ['POST /bucket', { name: 'x', file_size_limit: '5 MB' }, { code: 'InvalidRequest' }],
    ['POST /bucket', { name: 'x', file_size_limit: -1 }, { code: 'InvalidRequest' }],
    [
      'POST /bucket',
      { name: 'x', file_size_limit: '1GB' },
      {
        statusCode: '413',
        error: 'Payload too large',
        message: 'The object exceeded the maximum allowed size',
        code: 'EntityTooLarge',
      },
    ],
    ['PUT /bucket/none', { public: true }, { statusCode: '404', code: 'NoSuchBucket' }],
    ['PUT /bucket/none', {}, schema(expect.stringContaining("body must have required property 'public'"))],
    ['PUT /bucket/none', { name: 'none' }, { code: 'InvalidRequest' }],
    ['DELETE /bucket/none', undefined, { statusCode: '404', code: 'NoSuchBucket' }],
    ['POST /bucket/none/empty', undefined, { statusCode: '404', code: 'NoSuchBucket' }],
  ])('are returned for %s with the body %j', async (target, body, json) => {
    expect(await request(target, { body })).toMatchObject({ status: 400, json });
  });

  it('rejects a name that exists', async () => {
    await request('POST /bucket', { body: { name: 'taken' } });
    expect(await request('POST /bucket', { body: { name: 'taken' } })).toMatchObject({
      status: 400,
      json: {
        statusCode: '409',
        error: 'Duplicate',
        message: 'The resource already exists',
        code: 'BucketAlreadyExists',
      },
    });
    await request('DELETE /bucket/taken');
  });

  it('allows emptying only for service_role', async () => {
    expect(await request('POST /bucket/none/empty', { token: authenticated })).toMatchObject({
      status: 403,
      json: {
        statusCode: '403',
        error: 'Unauthorized',
        message: 'Access denied: Invalid role',
        code: 'AccessDenied',
      },
    });
  });
});

describe('row-level security', () => {
  const create = (name: string) => request('POST /bucket', { token: authenticated, body: { name } });

  it('needs only an INSERT policy to create a bucket', async () => {
    expect(await create('mine')).toMatchObject({
      status: 400,
      json: {
        statusCode: '403',
        error: 'Unauthorized',
        message: 'new row violates row-level security policy',
        code: 'AccessDenied',
      },
    });
    await server.run(`create policy make on storage.buckets for insert to authenticated
      with check (owner_id = auth.uid()::text and storage.operation() = 'storage.bucket.create')`);
    expect((await create('mine')).status).toBe(200);
    expect((await request('GET /bucket/mine')).json).toMatchObject({
      owner: '5d4ffd0b-4ba9-4f05-9b0c-3a6e9e6f5b6f',
    });
  });

  it('hides buckets, and prevents changes and deletion', async () => {
    const update = () => request('PUT /bucket/mine', { token: authenticated, body: { public: true } });
    const remove = () => request('DELETE /bucket/mine', { token: authenticated });
    const hidden = { status: 400, json: { code: 'NoSuchBucket' } };
    expect(await request('GET /bucket/mine', { token: authenticated })).toMatchObject(hidden);
    expect((await request('GET /bucket', { token: authenticated })).json).toEqual([]);
    await server.run('create policy see on storage.buckets for select to authenticated using (true)');
    expect((await request('GET /bucket/mine', { token: authenticated })).status).toBe(200);
    expect(await update()).toMatchObject(hidden);
    expect(await remove()).toMatchObject(hidden);
    await server.run('create policy change on storage.buckets for update to authenticated using (true)');
    expect((await update()).status).toBe(200);
    await server.run('create policy remove on storage.buckets for delete to authenticated using (true)');
    expect((await remove()).status).toBe(200);
  });
});
