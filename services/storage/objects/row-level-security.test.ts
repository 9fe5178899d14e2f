/** Tests each endpoint with the policies it needs, and without each one of them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type StorageResponse, StorageServer } from '../testing/storage-server.ts';

type Right = 'select' | 'insert' | 'update' | 'delete';

interface Endpoint {
  name: string;
  needs: readonly Right[];
  send: (token: string) => Promise<StorageResponse>;
  /** Response if one of the policies is missing. */
  refused: object | ((missing: Right) => object);
}

let server: StorageServer;
const request: StorageServer['request'] = (target, options) => server.request(target, options);

const POLICIES: Record<Right, string> = {
  select: 'for select to authenticated using (true)',
  insert: 'for insert to authenticated with check (true)',
  update: 'for update to authenticated using (true) with check (true)',
  delete: 'for delete to authenticated using (true)',
};

async function allow(rights: readonly Right[]) {
  for (const right of Object.keys(POLICIES) as Right[]) {
    await server.run(`drop policy if exists p_${right} on storage.objects`);
    if (rights.includes(right))
      await server.run(`create policy p_${right} on storage.objects ${POLICIES[right]}`);
  }
}

beforeAll(async () => {
  server = await StorageServer.open();
  await request('POST /bucket', { body: { name: 'b' } });
});
afterAll(() => server.close());

const DENIED = {
  status: 400,
  json: {
    statusCode: '403',
    error: 'Unauthorized',
    message: 'new row violates row-level security policy',
    code: 'AccessDenied',
  },
};
const NO_KEY = { status: 400, json: { statusCode: '404', code: 'NoSuchKey' } };
const EMPTY_LIST = { status: 200, json: [] };
const up = { 'x-upsert': 'true' };
const json =
  (target: string, body: object, headers = {}) =>
  (token: string) =>
    request(target, { token, body, headers });
const from = { bucketId: 'b', sourceKey: 'there' };

const ENDPOINTS: Endpoint[] = [
  {
    name: 'an upload',
    needs: ['insert'],
    send: (token) => request('POST /object/b/new', { token, body: 'x' }),
    refused: DENIED,
  },
  {
    name: 'an upload with upsert of a new key',
    needs: ['insert', 'select'],
    send: (token) => request('POST /object/b/new', { token, body: 'x', headers: up }),
    refused: DENIED,
  },
  {
    name: 'an upload with upsert of an existing key',
    needs: ['insert', 'select', 'update'],
    send: (token) => request('POST /object/b/there', { token, body: 'x', headers: up }),
    refused: DENIED,
  },
  {
    name: 'PUT of a new key',
    needs: ['insert', 'select'],
    send: (token) => request('PUT /object/b/new', { token, body: 'x' }),
    refused: DENIED,
  },
  {
    name: 'PUT of an existing key',
    needs: ['insert', 'select', 'update'],
    send: (token) => request('PUT /object/b/there', { token, body: 'x' }),
    refused: DENIED,
  },
  {
    name: 'a link for an upload',
    needs: ['insert'],
    send: json('POST /object/upload/sign/b/new', {}),
    refused: DENIED,
  },
  {
    name: 'a link for an upload that may overwrite',
    needs: ['insert', 'select', 'update'],
    send: json('POST /object/upload/sign/b/there', {}, up),
    refused: DENIED,
  },
  {
    name: 'a download',
    needs: ['select'],
    send: (token) => request('GET /object/b/there', { token }),
    refused: NO_KEY,
  },
  {
    name: 'a download from an authenticated path',
    needs: ['select'],
    send: (token) => request('GET /object/authenticated/b/there', { token }),
    refused: NO_KEY,
  },
  {
    name: 'HEAD',
    needs: ['select'],
    send: (token) => request('HEAD /object/b/there', { token }),
    refused: { status: 400 },
  },
  {
    name: 'information about an object',
    needs: ['select'],
    send: (token) => request('GET /object/info/b/there', { token }),
    refused: NO_KEY,
  },
  {
    name: 'a link',
    needs: ['select'],
    send: json('POST /object/sign/b/there', { expiresIn: 60 }),
    refused: NO_KEY,
  },
  {
    name: 'links to several objects',
    needs: ['select'],
    send: json('POST /object/sign/b', { expiresIn: 60, paths: ['there'] }),
    refused: { status: 200, json: [{ signedURL: null }] },
  },
  {
    name: 'a list',
    needs: ['select'],
    send: json('POST /object/list/b', { prefix: '' }),
    refused: EMPTY_LIST,
  },
  {
    name: 'a list of version 2',
    needs: ['select'],
    send: json('POST /object/list-v2/b', { with_delimiter: true }),
    refused: { status: 200, json: { objects: [] } },
  },
  {
    name: 'a flat list of version 2',
    needs: ['select'],
    send: json('POST /object/list-v2/b', {}),
    refused: { status: 200, json: { objects: [] } },
  },
  {
    name: 'a deletion',
    needs: ['delete', 'select'],
    send: (token) => request('DELETE /object/b/there', { token }),
    refused: { status: 400, json: { statusCode: '403', error: 'Unauthorized', message: 'Access denied' } },
  },
  {
    name: 'a deletion of several objects',
    needs: ['delete', 'select'],
    send: json('DELETE /object/b', { prefixes: ['there'] }),
    refused: EMPTY_LIST,
  },
  {
    name: 'a move',
    needs: ['select', 'update'],
    send: json('POST /object/move', { ...from, destinationKey: 'new' }),
    refused: NO_KEY,
  },
  {
    name: 'a copy',
    needs: ['select', 'insert'],
    send: json('POST /object/copy', { ...from, destinationKey: 'new' }),
    refused: (missing) => (missing === 'select' ? NO_KEY : DENIED),
  },
  {
    name: 'a copy with upsert to an existing key',
    needs: ['select', 'insert', 'update'],
    send: json('POST /object/copy', { ...from, destinationKey: 'there' }, up),
    refused: (missing) => (missing === 'select' ? NO_KEY : DENIED),
  },
];

describe.each(ENDPOINTS)('$name', ({ needs, send, refused }) => {
  const begin = async (rights: readonly Right[]) => {
    await request('POST /bucket/b/empty');
    await request('POST /object/b/there', { body: 'there' });
    await allow(rights);
    return server.token({ sub: 'someone' });
  };
  const state = () =>
    server.rows('select name, version, metadata, user_metadata, owner_id from storage.objects order by name');

  it(`succeeds with policies for ${needs.join(', ')}`, async () => {
    const token = await begin(needs);
    const response = await send(token);
    expect(response).toMatchObject({ status: 200 });
    const { json } = response;
    if (Array.isArray(json)) expect(json).not.toEqual([]);
  });

  it.each(needs)('is rejected without a policy for %s, and changes nothing', async (missing) => {
    const token = await begin(needs.filter((right) => right !== missing));
    const before = [await state(), await server.contents()];
    const expected = typeof refused === 'function' ? refused(missing) : refused;
    expect(await send(token)).toMatchObject(expected);
    expect([await state(), await server.contents()]).toEqual(before);
  });
});

describe('policies', () => {
  it('can read the upload, its owner and the operation', async () => {
    await request('POST /bucket/b/empty');
    await allow([]);
    await server.run(`create policy seen on storage.objects for insert to authenticated with check (
      metadata ->> 'mimetype' = 'text/plain' and (metadata ->> 'contentLength')::int < 10
      and user_metadata ->> 'project' = 'x' and owner_id = auth.uid()::text and version = '1'
      and (storage.foldername(name))[1] = auth.uid()::text and storage.filename(name) = 'a.txt'
      and storage.extension(name) = 'txt' and storage.allow_only_operation('object.upload')
      and storage.allow_any_operation(array['storage.object.copy', 'storage.object.upload'])
      and current_setting('request.method') = 'POST' and current_setting('request.path') = '/object/b/' || name
      and current_setting('request.headers')::json ->> 'x-test' = 'yes'
      and auth.jwt() ->> 'team' = 'red' and auth.role() = 'authenticated')`);
    const sub = '5d4ffd0b-4ba9-4f05-9b0c-3a6e9e6f5b6f';
    const metadata = Buffer.from('{"project":"x"}').toString('base64');
    const headers = { 'content-type': 'text/plain', 'x-metadata': metadata, 'x-test': 'yes' };
    const token = await server.token({ sub, team: 'red' });
    const upload = (more: object, path = `${sub}/a.txt`) =>
      request(`POST /object/b/${path}`, { token, body: 'hello', headers: { ...headers, ...more } });
    expect((await upload({ 'x-test': 'no' })).json).toMatchObject(DENIED.json);
    expect((await upload({ 'content-type': 'text/csv' })).json).toMatchObject(DENIED.json);
    expect((await upload({ 'x-metadata': 'x' })).json).toMatchObject(DENIED.json);
    expect((await upload({}, 'elsewhere/a.txt')).json).toMatchObject(DENIED.json);
    expect(await upload({})).toMatchObject({ status: 200 });
    await server.run('drop policy seen on storage.objects');
  });

  it('are evaluated for the target row of a move', async () => {
    await request('PUT /object/b/there', { body: 'x' });
    await allow(['select']);
    await server.run(`create policy moved on storage.objects for update to authenticated
      using (true) with check (name like 'allowed/%')`);
    const token = await server.token();
    const move = (destinationKey: string) =>
      request('POST /object/move', { token, body: { ...from, destinationKey } });
    expect(await move('elsewhere')).toMatchObject(DENIED);
    expect(await move('allowed/x')).toMatchObject({ status: 200 });
    await server.run('drop policy moved on storage.objects');
  });

  it('allow no role to act as the owner of the tables', async () => {
    await allow(['insert']);
    await server.run(`create policy who on storage.objects as restrictive for insert to authenticated
      with check (current_user = 'authenticated')`);
    expect((await request('POST /object/b/who', { token: await server.token(), body: 'x' })).status).toBe(
      200,
    );
    await server.run('drop policy who on storage.objects');
  });

  it('that fail are reported with their code', async () => {
    await allow([]);
    await server.run(`create policy missing on storage.objects for insert to authenticated
      with check (exists (select from storage.buckets where 1 / (length(id) - length(id)) > 0))`);
    await server.run('create policy b on storage.buckets for select to authenticated using (true)');
    const response = await request('POST /object/b/failing', { token: await server.token(), body: 'x' });
    expect(response).toMatchObject({ status: 500, json: { statusCode: '500', code: 'DatabaseError' } });
    await server.run('drop policy missing on storage.objects');
  });
});

describe('rows', () => {
  it('cannot be deleted by SQL, which would orphan their content', async () => {
    await request('PUT /object/b/there', { body: 'x' });
    await expect(server.rows('delete from storage.objects')).rejects.toMatchObject({ code: '42501' });
    await expect(server.rows('delete from storage.buckets')).rejects.toMatchObject({ code: '42501' });
  });
});
