import { createLogger } from '@greenroom/log';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { RealtimeServer } from '../testing/realtime-server.ts';

let server: RealtimeServer;
const logged: Record<string, unknown>[] = [];
const log = createLogger('info', { write: (line) => logged.push(JSON.parse(line)) });

beforeAll(async () => {
  server = await RealtimeServer.open({ log });
});
afterEach(() => server.closeClients());
afterAll(() => server.close());

describe.each(['1.0.0', '2.0.0'])('a socket of version %s', (vsn) => {
  it('replies to heartbeats', async () => {
    const client = await server.connect(vsn);
    const ref = client.push('phoenix', 'heartbeat', {});
    const reply = await client.next('phx_reply');
    expect(reply).toMatchObject({ topic: 'phoenix', ref, payload: { status: 'ok', response: {} } });
  });

  it('joins, and leaves with a reply before the close', async () => {
    const client = await server.connect(vsn);
    const joined = client.push('realtime:a', 'phx_join', { config: {} });
    expect(await client.next('phx_reply')).toEqual({
      joinRef: vsn === '2.0.0' ? joined : null,
      ref: joined,
      topic: 'realtime:a',
      event: 'phx_reply',
      payload: { status: 'ok', response: { postgres_changes: [] } },
    });
    const left = client.push('realtime:a', 'phx_leave', {}, joined);
    await client.settled();
    expect(client.frames.map(({ event, ref, payload }) => [event, ref, payload])).toEqual([
      ['phx_reply', left, { status: 'ok', response: {} }],
      ['phx_close', joined, {}],
    ]);
  });

  it('closes the old channel with its ref when the topic is joined again', async () => {
    const client = await server.connect(vsn);
    const first = client.push('realtime:a', 'phx_join', { config: {} });
    await client.reply(first);
    const second = client.push('realtime:a', 'phx_join', { config: {} });
    await client.reply(second);
    await client.settled();
    expect(client.frames.map(({ event, ref }) => [event, ref])).toEqual([['phx_close', first]]);
    const stale = client.push('realtime:a', 'phx_leave', {}, first);
    expect(await client.reply(stale)).toEqual({ status: 'ok', response: {} });
    expect(await client.join('realtime:a', { broadcast: { ack: true } })).toMatchObject({ status: 'ok' });
  });

  it('handles join, leave and join sent at once', async () => {
    const client = await server.connect(vsn);
    const first = client.push('realtime:a', 'phx_join', { config: {} });
    client.push('realtime:a', 'phx_leave', {}, first);
    const second = client.push('realtime:a', 'phx_join', { config: { broadcast: { ack: true } } });
    expect((await client.reply(second)).status).toBe('ok');
    const ref = client.push('realtime:a', 'broadcast', { type: 'broadcast', event: 'e', payload: {} });
    expect((await client.reply(ref)).status).toBe('ok');
  });

  it('reports topics that are not joined, and ignores unknown events', async () => {
    const client = await server.connect(vsn);
    const unmatched = { status: 'error', response: { reason: 'unmatched topic' } };
    expect(await client.reply(client.push('realtime:a', 'broadcast', {}))).toEqual(unmatched);
    expect(await client.reply(client.push('elsewhere', 'phx_join', {}))).toEqual(unmatched);
    expect(await client.reply(client.push('phoenix', 'other', {}))).toEqual(unmatched);
    const left = client.push('realtime:a', 'phx_leave', {});
    expect(await client.reply(left)).toEqual({ status: 'ok', response: {} });
    await client.join('realtime:a');
    client.push('realtime:a', 'made_up', { a: 1 });
    await client.settled();
    expect(client.frames).toEqual([]);
  });

  it.each([
    ['realtime:', 'TopicNameRequired: You must provide a topic name'],
    [`realtime:${'x'.repeat(247)}`, 'TopicNameTooLong: A topic name must not exceed 246 bytes'],
  ])('rejects a topic without a name or with a long one (%#)', async (topic, reason) => {
    const client = await server.connect(vsn);
    expect(await client.join(topic)).toEqual({ status: 'error', response: { reason } });
  });

  it('joins with the defaults of fields with a wrong type', async () => {
    const client = await server.connect(vsn);
    const config = { broadcast: { ack: 'x' }, presence: 7, postgres_changes: 'y', private: [] };
    expect(await client.join('realtime:a', config)).toMatchObject({ status: 'ok' });
  });
});

describe('tokens of a join', () => {
  it.each<[string, () => string | Promise<string>, RegExp]>([
    ['expired', () => server.token({ exp: 1_000 }), /^InvalidJWTToken: Token has expired \d+ seconds ago$/],
    [
      'without a role',
      () => server.token({ role: undefined }),
      /^InvalidJWTToken: Fields `role` and `exp` are required in JWT$/,
    ],
    ['malformed', () => 'nonsense', /^MalformedJWT: The token provided is not a valid JWT$/],
    [
      'forged',
      () => server.token().then((token) => `${token.slice(0, -8)}AAAAAAAA`),
      /^JwtSignatureError: Failed to validate JWT signature$/,
    ],
  ])('are rejected if they are %s', async (_, token, reason) => {
    const client = await server.connect();
    const reply = await client.join('realtime:a', {}, { access_token: await token() });
    expect(reply.status).toBe('error');
    expect(reply.response.reason).toMatch(reason);
    expect(await client.join('realtime:a')).toMatchObject({ status: 'ok' });
  });

  it('are replaced by that of the socket if an API key is sent', async () => {
    const client = await server.connect();
    const reply = await client.join('realtime:a', {}, { access_token: 'sb_publishable_wrong' });
    expect(reply.status).toBe('ok');
  });
});

it('a malformed frame is dropped, and the socket stays open', async () => {
  const client = await server.connect();
  for (const nonsense of ['', 'x', '{}', '[]', '[1,2]', '["1","2","a"]']) client.socket.send(nonsense);
  client.socket.send(Buffer.from([3, 255, 1]));
  await client.settled();
  expect(client.frames).toEqual([]);
});

it('a frame that is too large closes the socket', async () => {
  const client = await server.connect();
  client.socket.send(Buffer.alloc(5_000_001));
  expect(await client.waitForClose()).toMatchObject({ code: 1009 });
});

it('channels and sockets are counted in metrics', async () => {
  const client = await server.connect();
  await client.join('realtime:a');
  await client.join('realtime:b');
  expect([
    await server.metric('greenroom_realtime_sockets'),
    await server.metric('greenroom_realtime_channels'),
  ]).toEqual([1, 2]);
  client.close();
  await expect.poll(() => server.metric('greenroom_realtime_sockets'), { interval: 5 }).toBe(0);
  expect(await server.metric('greenroom_realtime_channels')).toBe(0);
  await expect.poll(() => server.instance.context.hub.topics, { interval: 5 }).toBe(0);
});

it('the log has a line about the opening, each user and the end of a socket, without tokens', async () => {
  const ofSockets = () => logged.filter(({ msg }) => String(msg).startsWith('realtime socket'));
  await expect.poll(() => server.metric('greenroom_realtime_sockets')).toBe(0);
  logged.length = 0;
  const client = await server.connect();
  const [ann, bob] = ['00000000-0000-4000-8000-00000000000a', '00000000-0000-4000-8000-00000000000b'];
  for (const sub of [ann, ann, bob]) {
    const token = await server.token({ sub });
    expect(await client.join(`realtime:${sub}`, {}, { access_token: token })).toMatchObject({ status: 'ok' });
  }
  await client.join('realtime:anonymous');
  client.close();
  await expect.poll(ofSockets).toHaveLength(4);
  const about = { level: 30, reqId: expect.any(String), path: '/realtime/v1/websocket', client: '127.0.0.1' };
  expect(ofSockets()).toEqual([
    { ...about, time: expect.any(String), msg: 'realtime socket opened' },
    { ...about, time: expect.any(String), userId: ann, msg: 'realtime socket has a user' },
    { ...about, time: expect.any(String), userId: bob, msg: 'realtime socket has a user' },
    {
      ...about,
      time: expect.any(String),
      userId: bob,
      code: expect.any(Number),
      ms: expect.any(Number),
      msg: 'realtime socket closed',
    },
  ]);
  expect(JSON.stringify(logged)).not.toMatch(/eyJ|apikey/);
});
