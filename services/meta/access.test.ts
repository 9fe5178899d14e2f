/** Who may call the service, and wrong requests. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MetaServer } from './testing/meta-server.ts';

let meta: MetaServer;

beforeAll(async () => {
  meta = await MetaServer.open();
});
afterAll(() => meta.close());

const ROUTES = [
  ['POST', '/run', { sql: 'select 1' }],
  ['POST', '/query', { query: 'select 1' }],
  ['POST', '/cancel', { id: '00000000-0000-4000-8000-000000000000' }],
  ['POST', '/export', { sql: 'select 1' }],
  ['GET', '/status', undefined],
  ['POST', '/migrations', { name: 'a', sql: 'select 1' }],
  ['GET', '/tables', undefined],
  ['GET', '/roles', undefined],
  ['GET', '/audit', undefined],
  ['POST', '/audit', { action: 'a.b', target: 't', summary: 's' }],
  ['PATCH', '/audit/1', { outcome: 'done' }],
  ['GET', '/unknown', undefined],
] as const;

describe.each(ROUTES)('%s /pg%s', (method, path, body) => {
  it.each([
    ['no key', async () => null, 401],
    ['a wrong key', async () => 'wrong', 401],
    ['the anon key', async () => meta.apiKeys.anon, 403],
    ['the publishable key', async () => meta.apiKeys.publishable, 403],
    ['the token of a user', () => meta.token(), 403],
    [
      'the token of an administrator',
      () => meta.token({ app_metadata: { role: 'admin' }, aal: 'aal2' }),
      403,
    ],
  ])('refuses %s', async (_, key, status) => {
    const response = await meta.call(path, { method, body, key: await key() });
    expect(response.status).toBe(status);
  });

  it('refuses the service key from the network', async () => {
    const response = await meta.callFromOutside(path, { method, body });
    expect([response.status, (await response.json()).code]).toEqual([403, 'address_not_allowed']);
  });

  it('refuses the service key from the network with headers that name another client', async () => {
    const headers = {
      'sb-forwarded-for': '127.0.0.1',
      'x-forwarded-for': '127.0.0.1',
      'x-real-ip': '127.0.0.1',
    };
    expect((await meta.callFromOutside(path, { method, body, headers })).status).toBe(403);
  });
});

it.each([
  ['127.0.0.1', 200],
  ['10.0.0.0/8, 127.0.0.0/8', 200],
  ['10.0.0.0/8', 403],
])('with GREENROOM_META_ALLOWED_ADDRESSES %s returns %i to this machine', async (addresses, status) => {
  await using open = await MetaServer.open({ settings: { GREENROOM_META_ALLOWED_ADDRESSES: addresses } });
  expect((await open.callFromOutside('/status')).status).toBe(status);
  expect((await open.callFromOutside('/status', { key: open.apiKeys.secret })).status).toBe(status);
  expect((await open.callFromOutside('/status', { key: open.apiKeys.anon })).status).toBe(403);
});

it('sends no header that lets pages of other origins read, and forbids caches', async () => {
  const response = await meta.call('/status', { headers: { origin: 'https://evil.example' } });
  expect(response.headers.get('access-control-allow-origin')).toBeNull();
  expect(response.headers.get('cache-control')).toBe('no-store');
});

it.each([
  ['no JSON object', '/run', 'text'],
  ['an unknown field', '/run', { sql: 'select 1', other: 1 }],
  ['no SQL', '/run', {}],
  ['too many rows', '/run', { sql: 'select 1', max_rows: 1_000_000 }],
  ['a wrong id', '/run', { sql: 'select 1', id: 'x' }],
  ['an unknown role', '/run', { sql: 'select 1', role: 'nobody_here' }],
  ['a zero byte', '/run', { sql: 'select \u0000' }],
  ['a wrong action', '/audit', { action: 'ban', target: 't', summary: 's' }],
])('returns 400 with a code and a message for %s', async (_, path, body) => {
  const response = await meta.call(path, { body });
  expect([response.status, await response.json()]).toEqual([
    400,
    expect.objectContaining({ code: expect.any(String), message: expect.stringMatching(/\w/) }),
  ]);
});

describe('GET /pg/status', () => {
  it.each([
    ['a loopback URL without a project', {}, true, null],
    ['a public URL', { appUrl: 'https://example.org' }, false, 'public_url'],
    [
      'a public URL and the setting on',
      { appUrl: 'https://example.org', settings: { GREENROOM_ADMIN_SCHEMA_CHANGES: 'on' } },
      true,
      null,
    ],
    ['the setting off', { settings: { GREENROOM_ADMIN_SCHEMA_CHANGES: 'off' } }, false, 'setting'],
    ['a missing folder of the project', { supabaseFolder: '/nowhere/supabase' }, false, 'read_only_folder'],
  ])('with %s returns whether schemas may be changed', async (_, options, isAllowed, refusal) => {
    await using server = await MetaServer.open(options);
    expect(await (await server.call('/status')).json()).toMatchObject({
      schema_changes: isAllowed,
      schema_changes_refusal: refusal,
    });
  });

  it('returns whether changes have migration files', async () => {
    const supabaseFolder = await mkdtemp(join(tmpdir(), 'greenroom-meta-'));
    await using server = await MetaServer.open({ supabaseFolder });
    expect(await (await server.call('/status')).json()).toMatchObject({
      schema_changes: true,
      writes_migrations: true,
    });
    await rm(supabaseFolder, { recursive: true });
  });
});
