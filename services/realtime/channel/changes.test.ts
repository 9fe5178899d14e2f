import { createClient } from '@supabase/supabase-js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openFeed } from '../feed/open-feed.ts';
import { RealtimeServer } from '../testing/realtime-server.ts';

const ADA = '11111111-1111-4111-8111-111111111111';
const BOB = '22222222-2222-4222-8222-222222222222';
const SQL = `
  create table public.notes (id int primary key, owner uuid, text text);
  create table public.secret (id int primary key, owner uuid);
  alter table public.secret enable row level security;
  create policy own on public.secret for select to authenticated using (owner = auth.uid());
  create table public.odd (id int primary key, owner uuid);
  alter table public.odd enable row level security;
  create policy endless on public.odd for select to anon using (pg_sleep(60) is not null);
  create policy fine on public.odd for select to authenticated using (true);
  alter publication supabase_realtime add table public.notes, public.secret, public.odd;
  create policy read on realtime.messages for select to authenticated, anon using (true)`;
const SUBSCRIBED = { extension: 'postgres_changes', status: 'ok', message: 'Subscribed to PostgreSQL' };

let server: RealtimeServer;
let ids = 0;

beforeAll(async () => {
  server = await RealtimeServer.open({
    sql: SQL,
    timings: { resubscribeMs: 20, replicationReadyMs: 2000 },
    openFeed: async ({ realtimeUrl, authenticatorUrl }) =>
      openFeed({
        replicationUrl: realtimeUrl,
        url: authenticatorUrl,
        log: { info() {}, warn() {} },
        statementTimeoutMs: 1000,
        retryMs: 0,
      }),
  });
  await server.instance.context.feed?.waitUntilStreaming();
});
afterEach(() => server.closeClients());
afterAll(() => server.close());

async function subscribed(
  changes: object[],
  { vsn = '2.0.0', ...more }: { vsn?: string; access_token?: string } = {},
) {
  const client = await server.connect(vsn);
  const reply = await client.join('realtime:db', { postgres_changes: changes }, more);
  expect((await client.next('system')).payload).toEqual({ ...SUBSCRIBED, channel: 'db' });
  return { client, entries: reply.response.postgres_changes };
}

async function insert(table: string, owner = ADA): Promise<number> {
  ids += 1;
  await server.run(`insert into public.${table} (id, owner) values (${ids}, '${owner}')`);
  return ids;
}

describe('database changes', () => {
  it.each(['1.0.0', '2.0.0'])('arrive in version %s with the ids of the join', async (vsn) => {
    const sent = [
      { event: 'INSERT', schema: 'public', table: 'notes' },
      { event: '*', schema: 'public', filter: 'id=gt.0', table: 'notes', more: [1] },
      { event: 'DELETE', schema: 'public', table: 'notes' },
    ];
    const { client, entries } = await subscribed(sent, { vsn });
    expect(entries).toEqual(sent.map((entry) => ({ ...entry, id: expect.any(Number) })));
    const id = await insert('notes');
    const frame = await client.next('postgres_changes');
    expect(frame).toMatchObject({ topic: 'realtime:db', joinRef: null, ref: null });
    expect(frame.payload.ids.toSorted()).toEqual([entries[0].id, entries[1].id].toSorted());
    expect(frame.payload.data).toMatchObject({
      type: 'INSERT',
      schema: 'public',
      table: 'notes',
      record: { id, owner: ADA, text: null },
      errors: null,
    });
  });

  it('are filtered by the role of the token, also after a token change', async () => {
    const access_token = await server.token({ sub: ADA });
    const { client } = await subscribed([{ event: '*', schema: 'public', table: 'secret' }], {
      access_token,
    });
    const mine = await insert('secret', ADA);
    expect((await client.next('postgres_changes')).payload.data.record.id).toBe(mine);
    client.push('realtime:db', 'access_token', { access_token: await server.token({ sub: BOB }) });
    expect((await client.next('system')).payload).toEqual({ ...SUBSCRIBED, channel: 'db' });
    await insert('secret', ADA);
    const theirs = await insert('secret', BOB);
    expect((await client.next('postgres_changes')).payload.data.record.id).toBe(theirs);
    expect(client.frames).toEqual([]);
  });

  it('are rejected for invalid entries while the channel stays open', async () => {
    const client = await server.connect();
    const changes = [{ event: '*', schema: 'public', table: 'nowhere' }];
    const config = { postgres_changes: changes, broadcast: { ack: true } };
    expect(await client.join('realtime:db', config)).toMatchObject({ status: 'ok' });
    const { payload } = await client.next('system');
    expect(payload).toMatchObject({ extension: 'postgres_changes', status: 'error', channel: 'db' });
    expect(payload.message).toMatch(/^Unable to subscribe to changes with given parameters\./);
    expect(await client.reply(client.push('realtime:db', 'broadcast', {}))).toMatchObject({ status: 'ok' });
  });

  it('are selected by the topic for clients of the old protocol', async () => {
    const client = await server.connect('1.0.0');
    const ref = client.push('realtime:public:notes', 'phx_join', {});
    expect(await client.reply(ref)).toEqual({ status: 'ok', response: { postgres_changes: [] } });
    await client.next('system');
    const id = await insert('notes');
    const frame = await client.next('INSERT');
    expect([frame.topic, frame.payload.record.id]).toEqual(['realtime:public:notes', id]);
  });

  it('do not arrive after the client has left the channel', async () => {
    const { client } = await subscribed([{ event: '*', schema: 'public', table: 'notes' }]);
    await client.reply(client.push('realtime:db', 'phx_leave', {}));
    await client.next('phx_close');
    const { client: other } = await subscribed([{ event: '*', schema: 'public', table: 'notes' }]);
    await insert('notes');
    await other.next('postgres_changes');
    await client.settled();
    expect(client.frames).toEqual([]);
  });

  it('are limited to a hundred entries per channel and a thousand per join', async () => {
    const client = await server.connect();
    const changes = (length: number) =>
      Array.from({ length }, (_, n) => ({ event: '*', schema: 'public', table: `t${n}` }));
    expect(await client.join('realtime:db', { postgres_changes: changes(101) })).toMatchObject({
      status: 'ok',
    });
    expect((await client.next('system')).payload.message).toBe(
      'Too many subscriptions in one channel. Maximum 100',
    );
    const reason = 'InvalidJoinPayload: postgres_changes must not have more than 1000 entries';
    const refusal = { status: 'error', response: { reason } };
    expect(await client.join('realtime:db', { postgres_changes: changes(1001) })).toEqual(refusal);
  });

  it('with slow policies are dropped for that role only, with a system message', async () => {
    const odd = [{ event: '*', schema: 'public', table: 'odd' }];
    const { client } = await subscribed(odd);
    const { client: quick } = await subscribed(odd, { access_token: await server.token({ sub: ADA }) });
    const id = await insert('odd');
    expect((await quick.next('postgres_changes')).payload.data.record.id).toBe(id);
    expect((await client.next('system')).payload).toEqual({
      extension: 'postgres_changes',
      status: 'error',
      message: 'Database changes were not delivered: policies or filters took too long',
      channel: 'db',
    });
    await quick.settled();
    expect(quick.frames).toEqual([]);
    const dropped = { kind: 'slow policy' };
    expect(await server.metric('greenroom_realtime_messages_dropped_total', dropped)).toBe(1);
  });

  it('above the rate limit are dropped and counted', async () => {
    const { client } = await subscribed([{ event: '*', schema: 'public', table: 'notes' }]);
    const { rates, config } = server.instance.context;
    rates.dbEvents.add(60 * config.maxDbEventsPerSecond);
    await insert('notes');
    await expect
      .poll(() => server.metric('greenroom_realtime_messages_dropped_total', { kind: 'database change' }), {
        interval: 5,
      })
      .toBe(1);
    rates.dbEvents.add(-60 * config.maxDbEventsPerSecond);
    const id = await insert('notes');
    expect((await client.next('postgres_changes')).payload.data.record.id).toBe(id);
  });
});

describe('messages from SQL', () => {
  it('reach their topic with the id of their row', async () => {
    const [old, young] = [await server.connect('1.0.0'), await server.connect('2.0.0')];
    for (const client of [old, young]) await client.join('realtime:room');
    await server.run(
      `select realtime.send('{"a":9007199254740993}', 'no', 'room', true), realtime.send('{"a":1}', 'yes', 'room', false)`,
    );
    for (const client of [old, young]) {
      const { payload, topic } = await client.next('broadcast');
      expect(topic).toBe('realtime:room');
      expect(payload).toEqual({
        type: 'broadcast',
        event: 'yes',
        payload: { a: 1, id: payload.meta.id },
        meta: { id: expect.any(String) },
      });
    }
    await server.run(`select realtime.send_binary('\\x00ff', 'bytes', 'room', false)`);
    expect((await young.next('broadcast')).bytes).toEqual(Buffer.from([0, 255]));
    await old.settled();
    expect(old.frames).toEqual([]);
  });

  it('arrive once, also at clients that join with a replay at the same time', async () => {
    const senders = Array.from({ length: 8 }, (_, n) =>
      server.run(`select realtime.send('{"n":${n}}', 'e', 'replayed')`),
    );
    const client = await server.connect();
    const replay = { since: Date.now() - 60_000, limit: 25 };
    await client.join('realtime:replayed', { private: true, broadcast: { replay } });
    await Promise.all(senders);
    await server.run(`select realtime.send('{"n":"last"}', 'e', 'replayed')`);
    const errors: unknown[] = [];
    while (errors.at(-1) !== 'last') errors.push((await client.next('broadcast')).payload.payload.n);
    expect(errors.toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 'last']);
  });

  it('are announced by a system message if the channel requests it', async () => {
    const client = await server.connect();
    await client.join('realtime:room', { broadcast: { replication_ready: true } });
    const message = 'Replication connection established';
    expect((await client.next('system')).payload).toEqual({
      extension: 'system',
      status: 'ok',
      message,
      channel: 'room',
    });
  });

  it('above the size limit are dropped and counted', async () => {
    const client = await server.connect();
    await client.join('realtime:room');
    await server.run(
      `select realtime.send(jsonb_build_object('a', repeat('x', 3000600)), 'large', 'room', false)`,
    );
    await server.run(`select realtime.send('{}', 'small', 'room', false)`);
    expect((await client.next('broadcast')).payload.event).toBe('small');
    expect(await server.metric('greenroom_realtime_messages_dropped_total', { kind: 'too large' })).toBe(1);
  });
});

it('system messages report a lost replication stream and its recovery', async () => {
  const { client } = await subscribed([{ event: '*', schema: 'public', table: 'notes' }]);
  await server.run(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and backend_type = 'walsender'`);
  const { payload } = await client.next('system');
  expect(payload).toMatchObject({ extension: 'postgres_changes', status: 'error', channel: 'db' });
  expect(payload.message).toMatch(/^Replication connection was lost/);
  await expect(server.instance.requireReady()).rejects.toThrow('not streamed');
  expect((await client.next('system')).payload).toEqual({ ...SUBSCRIBED, channel: 'db' });
  await server.instance.requireReady();
  const id = await insert('notes');
  expect((await client.next('postgres_changes')).payload.data.record.id).toBe(id);
});

it('without a replication stream, subscriptions are rejected and channels that wait for it are closed', async () => {
  await using closing = new AsyncDisposableStack();
  const other = await RealtimeServer.open({ database: server.database });
  closing.defer(() => other.close());
  const client = await other.connect();
  await client.join('realtime:a', { postgres_changes: [{ schema: 'public' }] });
  const message = 'Realtime was unable to connect to the project database';
  expect((await client.next('system')).payload).toMatchObject({
    extension: 'postgres_changes',
    status: 'error',
    message,
  });
  await client.join('realtime:b', { broadcast: { replication_ready: true } });
  const timeoutMessage = 'Replication connection was not established in time';
  expect((await client.next('system')).payload).toMatchObject({
    extension: 'system',
    status: 'error',
    message: timeoutMessage,
  });
  await client.next('phx_close');
});

it('the official client receives database changes', async () => {
  const supabase = createClient(server.apiUrl, server.apiKeys.anon, { auth: { persistSession: false } });
  const replies: unknown[] = [];
  const channel = supabase.channel('notes');
  await new Promise<void>((resolve) => {
    channel
      .on('system', {}, ({ message }) => message === SUBSCRIBED.message && resolve())
      .on('postgres_changes', { event: 'INSERT', schema: 'public', table: 'notes' }, (change) =>
        replies.push(change.new),
      )
      .on('postgres_changes', { event: '*', schema: 'public', table: 'notes', filter: 'id=lt.0' }, (change) =>
        replies.push(change),
      )
      .subscribe();
  });
  const id = await insert('notes');
  await expect.poll(() => replies, { interval: 5 }).toEqual([{ id, owner: ADA, text: null }]);
  await supabase.removeAllChannels();
});
