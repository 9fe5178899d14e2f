/** The audit log through the routes of the service. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { MetaServer } from '../testing/meta-server.ts';

const ADA = '00000000-0000-4000-8000-00000000000a';
let meta: MetaServer;

beforeAll(async () => {
  meta = await MetaServer.open();
});
afterAll(() => meta.close());

async function add(fields: Record<string, unknown> = {}): Promise<string> {
  const body = { action: 'user.ban', target: 'user 1', summary: 'Banned a user', ...fields };
  const response = await meta.call('/audit', { body });
  expect(response.status).toBe(201);
  return ((await response.json()) as { id: string }).id;
}

async function list(query = ''): Promise<Record<string, unknown>[]> {
  return (await (await meta.call(`/audit${query}`)).json()) as Record<string, unknown>[];
}

it('stores who changed what, before and after, and how to undo it', async () => {
  const id = await add({
    actor_id: ADA,
    actor_email: 'ada@example.org',
    actor_address: '192.0.2.1',
    request_id: 'r1',
    before: { banned_until: null },
    undo_sql: 'select 1',
  });
  const after = { banned_until: '2026-01-01' };
  const body = { outcome: 'done', after };
  expect((await meta.call(`/audit/${id}`, { method: 'PATCH', body })).status).toBe(204);
  expect((await list())[0]).toEqual({
    id,
    created_at: expect.any(String),
    actor_id: ADA,
    actor_email: 'ada@example.org',
    actor_address: '192.0.2.1',
    request_id: 'r1',
    action: 'user.ban',
    target: 'user 1',
    summary: 'Banned a user',
    before: { banned_until: null },
    after,
    undo_sql: 'select 1',
    outcome: 'done',
    error: null,
    finished_at: expect.any(String),
    undone_by: null,
  });
});

it('shows a change whose outcome is unknown as started, and a failed one with its error', async () => {
  const started = await add();
  const failed = await add();
  await meta.call(`/audit/${failed}`, { method: 'PATCH', body: { outcome: 'failed', error: 'refused' } });
  expect((await list('?limit=2')).map(({ id, outcome, error }) => [id, outcome, error])).toEqual([
    [failed, 'failed', 'refused'],
    [started, 'started', null],
  ]);
});

it('lists the entries of a target, of an actor and of an action, and continues before an id', async () => {
  const target = 'public.notes';
  const ids = [
    await add({ target, actor_id: ADA }),
    await add({ target, action: 'row.update' }),
    await add({ target }),
  ];
  const idsOf = async (query: string) => (await list(query)).map(({ id }) => id);
  expect(await idsOf(`?target=${target}`)).toEqual(ids.toReversed());
  expect(await idsOf(`?target=${target}&before=${ids[2]}&limit=1`)).toEqual([ids[1]]);
  expect(await idsOf(`?target=${target}&actor=${ADA}`)).toEqual([ids[0]]);
  expect(await idsOf(`?target=${target}&action=row.update`)).toEqual([ids[1]]);
});

it('replaces values that are too large', async () => {
  await add({ before: 'x'.repeat(300_000), after: 'small' });
  expect((await list('?limit=1'))[0]).toMatchObject({ before: { omitted: 'too large' }, after: 'small' });
});

it('returns 404 for an unknown entry', async () => {
  const response = await meta.call('/audit/999999', { method: 'PATCH', body: { outcome: 'done' } });
  expect([response.status, (await response.json()).code]).toEqual([404, 'audit_entry_not_found']);
});

it.each([
  "insert into greenroom.audit_log (action, target, summary) values ('a.b', 't', 's')",
  "update greenroom.audit_log set summary = ''",
  'delete from greenroom.audit_log',
  'truncate greenroom.audit_log',
  'drop table greenroom.audit_log',
  'set role greenroom_meta',
])('cannot be changed by SQL of the admin area: %s', async (sql) => {
  expect((await meta.sql(sql)).error?.code).toBe('42501');
});
