/** Tests rows that SQL writes under a policy that permits everything: none of them names content. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { StorageServer } from '../testing/storage-server.ts';

let server: StorageServer;
let token: string;

beforeAll(async () => {
  server = await StorageServer.open({
    sql: `insert into storage.buckets (id, name) values ('b', 'b');
      create policy all_of_mine on storage.objects for all to authenticated using (name not like 'secret%')`,
  });
  token = await server.token({ sub: 'somebody' });
});
afterAll(() => server.close());

const put = (key: string, body: string, by?: string) =>
  server.request(`PUT /object/b/${key}`, { body, token: by, headers: { 'content-type': 'text/plain' } });
const get = (key: string) => server.request(`GET /object/authenticated/b/${key}`, { token });
const NOT_FOUND = { status: 400, json: { statusCode: '404' } };

async function versionOf(key: string): Promise<string | null | undefined> {
  const text = `select version from storage.objects where bucket_id = 'b' and name = $1`;
  return (await server.rows<{ version: string | null }>(text, [key]))[0]?.version;
}

/** Runs SQL as a role that may write rows, e.g. because the data API exposes the schema. */
async function as(role: string, text: string, values: unknown[] = []): Promise<void> {
  await server.database.admin.transaction(async (tx) => {
    await tx.query({ text: `set local role ${role}` });
    await tx.query({ text, values });
  });
}

describe('the version of a row', () => {
  const secret = async () => (await versionOf('secret.txt')) ?? '';

  beforeAll(async () => {
    await put('secret.txt', 'a secret');
    await put('mine.txt', 'mine', token);
  });

  it.each([
    ['inserted', `insert into storage.objects (bucket_id, name, version) values ('b', $1, $2)`],
    ['inserted from a query', `insert into storage.objects (bucket_id, name, version) select 'b', $1, $2`],
    [
      'merged',
      `merge into storage.objects as o using (values ($1, $2)) as n (name, version) on o.name = n.name
        when not matched then insert (bucket_id, name, version) values ('b', n.name, n.version)`,
    ],
  ])('%s is set to null for a role that policies apply to', async (how, text) => {
    const key = `${how}.txt`;
    await as('authenticated', text, [key, await secret()]);
    expect(await versionOf(key)).toBeNull();
    expect(await get(encodeURIComponent(key))).toMatchObject(NOT_FOUND);
    const removed = await server.request(`DELETE /object/b/${encodeURIComponent(key)}`, { token });
    expect(removed.status).toBe(200);
    expect((await server.request('GET /object/b/secret.txt')).text).toBe('a secret');
  });

  it.each([
    ['an update', `update storage.objects set version = $1 where name = 'mine.txt'`],
    [
      'an upsert',
      `insert into storage.objects (bucket_id, name, version) values ('b', 'mine.txt', $1)
        on conflict (bucket_id, name) do update set version = excluded.version`,
    ],
    [
      'an upsert with an explicit value',
      `insert into storage.objects (bucket_id, name) values ('b', 'mine.txt')
        on conflict (bucket_id, name) do update set version = $1`,
    ],
    [
      'a merge',
      `merge into storage.objects as o using (values ($1)) as n (version) on o.name = 'mine.txt'
        when matched then update set version = n.version`,
    ],
  ])('is unchanged by %s', async (_how, text) => {
    const before = await versionOf('mine.txt');
    for (const version of [await secret(), null, '1']) await as('authenticated', text, [version]);
    expect(await versionOf('mine.txt')).toBe(before);
    expect((await get('mine.txt')).text).toBe('mine');
  });

  it('that storage uses for permission checks refers to no content', async () => {
    const text = `insert into storage.objects (bucket_id, name, version) values ('b', 'tried.txt', '1')`;
    await as('authenticated', text);
    expect(await get('tried.txt')).toMatchObject(NOT_FOUND);
    const body = { bucketId: 'b', sourceKey: 'tried.txt', destinationKey: 'copied.txt' };
    expect(await server.request('POST /object/copy', { token, body })).toMatchObject(NOT_FOUND);
    expect((await put('tried.txt', 'written', token)).status).toBe(200);
    expect((await get('tried.txt')).text).toBe('written');
  });

  it('may be written by roles that bypass policies', async () => {
    for (const role of ['service_role', 'supabase_storage_admin']) {
      const text = `insert into storage.objects (bucket_id, name, version) values ('b', $1, 'a version')`;
      await as(role, text, [`by ${role}`]);
      expect(await versionOf(`by ${role}`)).toBe('a version');
    }
  });

  it('is written by storage for callers whom policies permit to upload, move and copy', async () => {
    expect((await put('first.txt', 'one', token)).status).toBe(200);
    const first = await versionOf('first.txt');
    expect((await put('first.txt', 'two', token)).status).toBe(200);
    expect(await versionOf('first.txt')).not.toBe(first);
    const paths = (sourceKey: string, destinationKey: string) => ({
      token,
      body: { bucketId: 'b', sourceKey, destinationKey },
    });
    expect((await server.request('POST /object/move', paths('first.txt', 'second.txt'))).status).toBe(200);
    expect((await server.request('POST /object/copy', paths('second.txt', 'third.txt'))).status).toBe(200);
    for (const key of ['second.txt', 'third.txt']) expect((await get(key)).text).toBe('two');
  });
});
