import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { RealtimeServer } from '../testing/realtime-server.ts';
import type { WireClient } from '../testing/wire-client.ts';

const ADA = '11111111-1111-4111-8111-111111111111';
const BOB = '22222222-2222-4222-8222-222222222222';
const SQL = `
  create table public.members (topic text, who uuid, can_write boolean, extension text default 'broadcast');
  insert into public.members values
    ('room', '${ADA}', true, 'broadcast'), ('room', '${BOB}', false, 'broadcast'), ('room', '${ADA}', true, 'presence'),
    ('quiet', '${ADA}', true, 'presence'), ('half', '${ADA}', true, 'broadcast'), ('half', '${ADA}', false, 'presence');
  create policy read on realtime.messages for select to authenticated using (
    exists (select from public.members m where m.topic = realtime.topic() and m.who = auth.uid()
      and m.extension = messages.extension));
  create policy write on realtime.messages for insert to authenticated with check (
    exists (select from public.members m where m.topic = realtime.topic() and m.who = auth.uid() and m.can_write
      and m.extension = messages.extension));
  create policy broken on realtime.messages for select to anon using (realtime.topic()::int = 1);
  create function public.slowly() returns boolean language sql as 'select pg_sleep(60) is null'`;

let server: RealtimeServer;

beforeAll(async () => {
  server = await RealtimeServer.open({ sql: SQL });
});
afterEach(() => server.closeClients());
afterAll(() => server.close());

async function joined(sub: string, topic: string, config: object = {}): Promise<WireClient> {
  const client = await server.connect();
  const reply = await client.join(
    topic,
    { private: true, ...config },
    { access_token: await server.token({ sub }) },
  );
  expect(reply).toMatchObject({ status: 'ok' });
  return client;
}

const refused = (name: string) => ({
  status: 'error',
  response: { reason: `Unauthorized: You do not have permissions to read from this Channel topic: ${name}` },
});

describe('a private channel', () => {
  it('is joined only by clients that a policy permits to read', async () => {
    const client = await server.connect();
    const access_token = await server.token({ sub: ADA });
    expect(await client.join('realtime:room', { private: true }, { access_token })).toMatchObject({
      status: 'ok',
    });
    expect(await client.join('realtime:other', { private: true }, { access_token })).toEqual(
      refused('other'),
    );
    expect(await client.join('realtime:room', { private: true })).toEqual(refused('room'));
    expect(await client.join('realtime:room', { private: 'true' })).toEqual(refused('room'));
  });

  it('rejects a join if a policy fails or the role is unknown', async () => {
    const client = await server.connect();
    expect(await client.join('realtime:x', { private: true })).toEqual(refused('x'));
    for (const role of ['nobody_at_all', 'postgres', 'supabase_auth_admin', 'authenticator']) {
      const access_token = await server.token({ role });
      expect(await client.join('realtime:x', { private: true }, { access_token })).toEqual(refused('x'));
    }
  });

  it('leaves no probe rows in the table', async () => {
    const client = await joined(ADA, 'realtime:room', {
      presence: { enabled: true },
      broadcast: { ack: true },
    });
    await client.reply(client.push('realtime:room', 'broadcast', { event: 'e' }));
    expect(await server.database.admin.query({ text: 'select from realtime.messages' })).toEqual([]);
  });

  it('is open to the service role', async () => {
    const client = await server.connect('2.0.0', server.apiKeys.secret);
    const config = { private: true, broadcast: { ack: true } };
    expect(await client.join('realtime:any', config)).toMatchObject({ status: 'ok' });
    const ref = client.push('realtime:any', 'broadcast', { event: 'e' });
    expect(await client.reply(ref)).toMatchObject({ status: 'ok' });
  });

  it('delivers broadcasts of permitted senders and drops all others silently', async () => {
    const [ada, bob] = [
      await joined(ADA, 'realtime:room', { broadcast: { ack: true } }),
      await joined(BOB, 'realtime:room', { broadcast: { ack: true } }),
    ];
    bob.push('realtime:room', 'broadcast', { event: 'no' });
    await bob.settled();
    const ref = ada.push('realtime:room', 'broadcast', { event: 'yes' });
    expect(await ada.reply(ref)).toMatchObject({ status: 'ok' });
    expect((await bob.next('broadcast')).payload).toEqual({ event: 'yes' });
    expect([...bob.frames, ...ada.frames]).toEqual([]);
  });

  it('is separate from the public topic with the same name', async () => {
    const [ada, anybody] = [await joined(ADA, 'realtime:room'), await server.connect()];
    await anybody.join('realtime:room');
    anybody.push('realtime:room', 'broadcast', { event: 'public' });
    ada.push('realtime:room', 'broadcast', { event: 'private' });
    for (const client of [ada, anybody]) await client.settled();
    await (await joined(ADA, 'realtime:room')).settled();
    expect([...ada.frames, ...anybody.frames]).toEqual([]);
  });

  it('sends only presence to clients that may read only presence', async () => {
    const ada = await joined(ADA, 'realtime:quiet', { presence: { enabled: true, key: 'ada' } });
    expect((await ada.next('presence_state')).payload).toEqual({});
    const service = await server.connect('2.0.0', server.apiKeys.serviceRole);
    await service.join('realtime:quiet', { private: true });
    service.push('realtime:quiet', 'broadcast', { event: 'e' });
    service.push('realtime:quiet', 'presence', { event: 'track', payload: { a: 1 } });
    expect(Object.values((await ada.next('presence_diff')).payload.joins)).toMatchObject([
      { metas: [{ a: 1 }] },
    ]);
    expect(ada.frames).toEqual([]);
    const ref = ada.push('realtime:quiet', 'presence', { event: 'track', payload: {} });
    expect(await ada.reply(ref)).toMatchObject({ status: 'ok' });
  });

  it('tracks presence only for permitted clients, and stops tracking for all clients', async () => {
    const ada = await joined(ADA, 'realtime:half', { presence: { enabled: true } });
    const [track, untrack] = ['track', 'untrack'].map((event) =>
      ada.push('realtime:half', 'presence', { event, payload: {} }),
    );
    expect(await ada.reply(track ?? '')).toEqual({ status: 'error', response: {} });
    expect(await ada.reply(untrack ?? '')).toEqual({ status: 'ok', response: {} });
  });

  it('sends no presence to clients that may not read it', async () => {
    const bob = await joined(BOB, 'realtime:room', { presence: { enabled: true } });
    const ada = await joined(ADA, 'realtime:room', { presence: { enabled: true } });
    await ada.reply(ada.push('realtime:room', 'presence', { event: 'track', payload: {} }));
    await bob.settled();
    expect(bob.frames).toEqual([]);
  });

  it('is required if the instance permits private channels only', async () => {
    await using closing = new AsyncDisposableStack();
    const other = await RealtimeServer.open({
      database: server.database,
      settings: { GREENROOM_REALTIME_PRIVATE_ONLY: 'true' },
    });
    closing.defer(() => other.close());
    const client = await other.connect('2.0.0', other.apiKeys.serviceRole);
    const reason = 'PrivateOnly: This project only allows private channels';
    expect(await client.join('realtime:a')).toEqual({ status: 'error', response: { reason } });
    expect(await client.join('realtime:a', { private: true })).toMatchObject({ status: 'ok' });
  });
});

describe('a token', () => {
  it('ends the channel when it expires, and reports the time since the expiry', async () => {
    const client = await server.connect();
    const access_token = await server.token({ exp: Math.ceil(Date.now() / 1000) + 1 });
    await client.join('realtime:a', {}, { access_token });
    expect((await client.next('system')).payload).toEqual({
      extension: 'system',
      status: 'error',
      message: 'Token has expired 0 seconds ago',
      channel: 'a',
    });
    expect(await client.next('phx_close')).toMatchObject({ ref: '1', joinRef: '1', payload: {} });
  });

  it('is replaced silently by a valid one, and kept for an API key or the same token', async () => {
    const client = await joined(ADA, 'realtime:room', { broadcast: { ack: true } });
    for (const token of [
      'sb_publishable_x',
      null,
      '',
      7,
      await server.token({ sub: ADA }),
      await server.token({ sub: ADA, more: 1 }),
    ]) {
      client.push('realtime:room', 'access_token', { access_token: token });
    }
    const ref = client.push('realtime:room', 'broadcast', { event: 'e' });
    expect(await client.reply(ref)).toMatchObject({ status: 'ok' });
    expect(client.frames).toEqual([]);
  });

  it('without write permission prevents further writes', async () => {
    const client = await joined(ADA, 'realtime:room', { broadcast: { ack: true } });
    await client.reply(client.push('realtime:room', 'broadcast', { event: 'e' }));
    client.push('realtime:room', 'access_token', { access_token: await server.token({ sub: BOB }) });
    client.push('realtime:room', 'broadcast', { event: 'e' });
    client.push('realtime:room', 'phx_leave', {});
    await client.next('phx_close');
    expect(client.frames.map(({ event }) => event)).toEqual(['phx_reply']);
  });

  it.each<[string, () => string | Promise<string>, RegExp]>([
    ['malformed', () => 'a.b.c', /^The token provided is not a valid JWT$/],
    [
      'without a role',
      () => server.token({ role: undefined }),
      /^Fields `role` and `exp` are required in JWT$/,
    ],
    ['expired', () => server.token({ exp: 1000 }), /^Token has expired \d+ seconds ago$/],
    [
      'of another user without permission',
      () => server.token({ sub: '33333333-3333-4333-8333-333333333333' }),
      /^You no longer have permission to read from this Channel topic: room$/,
    ],
  ])('that is %s ends the channel', async (_, token, message) => {
    const client = await joined(ADA, 'realtime:room');
    client.push('realtime:room', 'access_token', { access_token: await token() });
    const { payload } = await client.next('system');
    expect(payload).toMatchObject({ extension: 'system', status: 'error', channel: 'room' });
    expect(payload.message).toMatch(message);
    await client.next('phx_close');
  });
});

describe('a replay', () => {
  const send = (payload: object, at: string, event = 'e') =>
    server.database.admin.query({
      text: `insert into realtime.messages (topic, extension, event, payload, private, inserted_at)
        values ('room', 'broadcast', $2, $1, true, timezone('utc', now()) - $3::interval)`,
      values: [JSON.stringify(payload), event, at],
    });

  it('returns the newest messages since a time in ascending order', async () => {
    for (let n = 1; n <= 4; n += 1) await send({ n }, `${10 - n} minutes`);
    await server.database.admin.query({
      text: `insert into realtime.messages (topic, extension, event, binary_payload, private)
        values ('room', 'broadcast', 'bytes', '\\x00ff', true), ('other', 'broadcast', 'e', null, true), ('room', 'broadcast', 'e', null, false)`,
    });
    const since = Date.now() - 500_000;
    const client = await joined(ADA, 'realtime:room', { broadcast: { replay: { since, limit: 3 } } });
    const frames = [
      await client.next('broadcast'),
      await client.next('broadcast'),
      await client.next('broadcast'),
    ];
    expect(frames.map(({ payload }) => payload.payload)).toEqual([{ n: 3 }, { n: 4 }, Buffer.from([0, 255])]);
    expect(frames[0]).toMatchObject({
      joinRef: '1',
      payload: {
        type: 'broadcast',
        event: 'e',
        meta: { replayed: true, id: expect.stringMatching(/^[\da-f-]{36}$/) },
      },
    });
    await client.settled();
    expect(client.frames).toEqual([]);
  });

  it.each<[string, object, string]>([
    [
      'of a public channel',
      { private: false, broadcast: { replay: { since: 1 } } },
      'Replay is not allowed for public channels',
    ],
    ['without a time', { private: true, broadcast: { replay: {} } }, 'Replay params are not valid'],
    [
      'without permission to read broadcasts',
      { private: true, presence: { enabled: true }, broadcast: { replay: { since: 1 } } },
      'Realtime was unable to replay messages',
    ],
  ])('%s is rejected', async (_, config, message) => {
    const client = await server.connect();
    const access_token = await server.token({ sub: ADA });
    const reason = `UnableToReplayMessages: ${message}`;
    expect(await client.join('realtime:quiet', config, { access_token })).toEqual({
      status: 'error',
      response: { reason },
    });
    expect(await client.join('realtime:a')).toMatchObject({ status: 'ok' });
  });
});

it('an unreachable database rejects private joins only', async () => {
  await using closing = new AsyncDisposableStack();
  const other = await RealtimeServer.open({
    database: server.database,
    databaseUrl: 'postgresql://nobody@127.0.0.1:1/nothing',
  });
  closing.defer(() => other.close());
  const client = await other.connect();
  const reason = 'UnableToConnectToProject: Realtime was unable to connect to the project database';
  expect(await client.join('realtime:a', { private: true })).toEqual({
    status: 'error',
    response: { reason },
  });
  expect(await client.join('realtime:a')).toMatchObject({ status: 'ok' });
  const response = await fetch(`${other.url}/api/broadcast/a/events/b?private=true`, {
    method: 'POST',
    body: '{}',
    headers: { apikey: other.apiKeys.anon, 'content-type': 'application/json' },
  });
  expect([response.status, await response.json()]).toEqual([500, { error: reason.split(': ')[1] }]);
  await expect(other.instance.requireReady()).rejects.toThrow();
});
