/** Limits per client. Each loopback address counts as a separate client. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { createTestDatabase, type TestDatabase } from '@greenroom/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { RealtimeServer } from '../testing/realtime-server.ts';
import type { WireClient } from '../testing/wire-client.ts';

const ANN = '127.0.0.2';
const BOB = '127.0.0.3';

let database: TestDatabase;
let server: RealtimeServer;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterEach(() => server.close());
afterAll(() => database.drop());

async function open(settings: Record<string, string>, options: { sql?: string } = {}): Promise<void> {
  server = await RealtimeServer.open({ settings, database, limitsLoopback: true, ...options });
}

const refused = (code: string, text: string) => ({
  status: 'error',
  response: { reason: `${code}: ${text}` },
});
const TOO_MANY_JOINS = refused('ClientJoinRateLimitReached', 'Too many joins per second');
const TOO_MANY_CHANNELS = refused('ChannelRateLimitReached', 'Too many channels');

/** Joins until a join is refused, with as many sockets as necessary. */
async function joinUntilRefused(address: string): Promise<void> {
  const client = await server.connectFrom(address);
  for (let round = 0; round < 200 && client.closed === undefined; round += 1) {
    if ((await client.join('realtime:flood').catch(() => undefined))?.status !== 'ok') break;
  }
  expect(await client.waitForClose()).toEqual({ code: 1008, reason: 'Too many joins per second' });
}

async function connectRefused(address: string): Promise<void> {
  await expect(server.connectFrom(address)).rejects.toThrow('429');
}

describe('joins', () => {
  it('of one client are rejected above its limit on all of its sockets, and those of others are accepted', async () => {
    await open({ GREENROOM_REALTIME_PER_CLIENT_JOINS_PER_SECOND: '1' });
    const before = await server.connectFrom(ANN);
    await joinUntilRefused(ANN);
    // Creates a debt, so that no token is refilled before the next lines, even on a slow machine.
    server.instance.context.limits.joins.chargeClient([`net:${ANN}`], performance.now(), 50);
    expect(await before.join('realtime:a')).toEqual(TOO_MANY_JOINS);
    await connectRefused(ANN);
    const bob = await server.connectFrom(BOB);
    expect(await bob.join('realtime:a')).toMatchObject({ status: 'ok' });
  });

  it('are accepted from a client below its fair share while another has exhausted the total', async () => {
    await open({ GREENROOM_REALTIME_MAX_JOINS_PER_SECOND: '1' });
    await joinUntilRefused(ANN);
    const bob = await server.connectFrom(BOB);
    for (let round = 0; round < 20; round += 1) {
      expect(await bob.join('realtime:a')).toMatchObject({ status: 'ok' });
    }
  });

  it('share their rate with handshakes', async () => {
    await open({ GREENROOM_REALTIME_PER_CLIENT_JOINS_PER_SECOND: '1' });
    const connectMany = async () => {
      for (let count = 0; count < 200; count += 1) (await server.connectFrom(ANN)).close();
    };
    await expect(connectMany()).rejects.toThrow('429');
    await server.connectFrom(BOB);
  });

  it('share their rate with new tokens of channels', async () => {
    await open({ GREENROOM_REALTIME_PER_CLIENT_JOINS_PER_SECOND: '1' });
    const ann = await server.connectFrom(ANN);
    await ann.join('realtime:a');
    const tokens = await Promise.all(Array.from({ length: 40 }, (_, n) => server.token({ n })));
    for (const token of tokens) ann.push('realtime:a', 'access_token', { access_token: token });
    expect((await ann.next('system')).payload.message).toBe('Too many joins per second');
    await ann.next('phx_close');
  });
});

describe('sockets', () => {
  it('of one client are rejected above its limit, and those of others stay open', async () => {
    await open({ GREENROOM_REALTIME_PER_CLIENT_SOCKETS: '2' });
    const [first] = [await server.connectFrom(ANN), await server.connectFrom(ANN)];
    await connectRefused(ANN);
    await server.connectFrom(BOB);
    first?.close();
    await expect.poll(() => server.instance.context.limits.sockets.total, { interval: 5 }).toBe(2);
    await server.connectFrom(ANN);
  });

  it('of the largest client are closed to accept those of others when all are in use, unjoined ones first', async () => {
    await open({ GREENROOM_REALTIME_MAX_CONCURRENT_USERS: '3' });
    const anns = [
      await server.connectFrom(ANN),
      await server.connectFrom(ANN),
      await server.connectFrom(ANN),
    ];
    await anns[0]?.join('realtime:a');
    await anns[2]?.join('realtime:a');
    await connectRefused(ANN);
    const bob = await server.connectFrom(BOB);
    expect(await anns[1]?.waitForClose()).toEqual({ code: 1013, reason: 'Too many connected users' });
    await connectRefused(ANN);
    await connectRefused(BOB);
    expect([anns[0]?.closed, anns[2]?.closed, bob.closed]).toEqual([undefined, undefined, undefined]);
    await anns[0]?.settled();
  });

  it('count against the account of their token, regardless of the address', async () => {
    await open({ GREENROOM_REALTIME_PER_CLIENT_SOCKETS: '2' });
    const token = await server.token({ sub: 'ada' });
    await server.connectFrom(ANN, token);
    await server.connectFrom(BOB, token);
    await expect(server.connectFrom('127.0.0.4', token)).rejects.toThrow('429');
    await server.connectFrom(ANN, await server.token({ sub: 'bob' }));
  });

  it('count against their address until the first token of a channel, and then against its account', async () => {
    await open({ GREENROOM_REALTIME_PER_CLIENT_SOCKETS: '2' });
    const { sockets } = server.instance.context.limits;
    const [one, two] = [await server.connectFrom(ANN), await server.connectFrom(ANN)];
    await connectRefused(ANN);
    await one.join('realtime:a', {}, { access_token: await server.token({ sub: 'ada' }) });
    await two.join('realtime:a');
    two.push('realtime:a', 'access_token', { access_token: await server.token({ sub: 'bob' }) });
    await two.settled();
    await expect.poll(() => sockets.countOf(['user:bob']), { interval: 5 }).toBe(1);
    expect([sockets.countOf(['user:ada']), sockets.countOf([`net:${ANN}`])]).toEqual([1, 0]);
    await one.join('realtime:b', {}, { access_token: await server.token({ sub: 'eve' }) });
    expect([sockets.countOf(['user:ada']), sockets.countOf(['user:eve'])]).toEqual([1, 0]);
  });

  it('of the service key are not counted', async () => {
    await open({ GREENROOM_REALTIME_PER_CLIENT_SOCKETS: '1' });
    for (let count = 0; count < 3; count += 1) await server.connectFrom(ANN, server.apiKeys.serviceRole);
    await server.connectFrom(ANN);
    await connectRefused(ANN);
  });
});

describe('channels', () => {
  it('are counted together for all sockets of one client, and separately for others', async () => {
    await open({ GREENROOM_REALTIME_PER_CLIENT_CHANNELS: '3' });
    const [one, two, bob] = [
      await server.connectFrom(ANN),
      await server.connectFrom(ANN),
      await server.connectFrom(BOB),
    ];
    for (const topic of ['realtime:a', 'realtime:b']) await one.join(topic);
    await two.join('realtime:a');
    expect(await two.join('realtime:b')).toEqual(TOO_MANY_CHANNELS);
    expect(await bob.join('realtime:b')).toMatchObject({ status: 'ok' });
    await one.reply(one.push('realtime:a', 'phx_leave', {}));
    expect(await two.join('realtime:b')).toMatchObject({ status: 'ok' });
  });

  it('are accepted from a client below its fair share while another holds all', async () => {
    await open({ GREENROOM_REALTIME_MAX_CHANNELS: '4' });
    const [ann, bob] = [await server.connectFrom(ANN), await server.connectFrom(BOB)];
    for (let n = 0; n < 4; n += 1) expect(await ann.join(`realtime:${n}`)).toMatchObject({ status: 'ok' });
    expect(await ann.join('realtime:more')).toEqual(TOO_MANY_CHANNELS);
    for (let n = 0; n < 2; n += 1) expect(await bob.join(`realtime:${n}`)).toMatchObject({ status: 'ok' });
    expect(await bob.join('realtime:more')).toEqual(TOO_MANY_CHANNELS);
  });
});

describe('messages', () => {
  const flood = (client: WireClient, count: number) => {
    for (let n = 0; n < count; n += 1) client.push('realtime:a', 'broadcast', { event: 'e', n });
  };

  it('of one client above its limit end its channel, and not those of others', async () => {
    await open({ GREENROOM_REALTIME_PER_CLIENT_EVENTS_PER_SECOND: '5' });
    const [ann, bob, eve] = [
      await server.connectFrom(ANN),
      await server.connectFrom(BOB),
      await server.connectFrom('127.0.0.4'),
    ];
    for (const client of [ann, bob, eve]) await client.join('realtime:a');
    flood(ann, 200);
    expect((await ann.next('system')).payload.message).toBe('Too many messages per second');
    eve.frames.length = 0;
    flood(bob, 3);
    for (let n = 0; n < 3; n += 1) {
      expect((await eve.next((frame) => frame.payload.n === n)).topic).toBe('realtime:a');
    }
    expect(bob.frames.filter(({ event }) => event === 'phx_close')).toEqual([]);
  });

  it('count once per receiver', async () => {
    await open({ GREENROOM_REALTIME_PER_CLIENT_EVENTS_PER_SECOND: '5' });
    const [ann, bob] = [await server.connectFrom(ANN), await server.connectFrom(BOB)];
    await ann.join('realtime:a');
    for (let n = 0; n < 9; n += 1) await bob.join(`realtime:${n}`);
    await bob.join('realtime:a');
    // The burst is 50: the messages alone stay below it, but exceed it together with their two receivers.
    flood(ann, 40);
    expect((await ann.next('system')).payload.message).toBe('Too many messages per second');
  });

  it('are accepted from a client below its fair share while another has exhausted the total', async () => {
    await open({ GREENROOM_REALTIME_MAX_EVENTS_PER_SECOND: '1' });
    const [ann, bob] = [await server.connectFrom(ANN), await server.connectFrom(BOB)];
    for (const client of [ann, bob]) await client.join('realtime:a', { broadcast: { ack: true } });
    flood(ann, 80);
    expect((await ann.next('system')).payload.message).toBe('Too many messages per second');
    for (let n = 0; n < 5; n += 1) {
      const ack = await bob.reply(bob.push('realtime:a', 'broadcast', { event: 'e' }));
      expect(ack).toEqual({ status: 'ok', response: {} });
    }
  });

  it('over HTTP of one client are rejected above its limit, and those of others are accepted', async () => {
    await open({ GREENROOM_REALTIME_PER_CLIENT_EVENTS_PER_SECOND: '1' });
    const [ada, bob] = [await server.token({ sub: 'ada' }), await server.token({ sub: 'bob' })];
    const post = async (token: string, messages: number) => {
      const body = JSON.stringify({
        messages: Array(messages).fill({ topic: 'a', event: 'e', payload: {} }),
      });
      const headers = { apikey: server.apiKeys.anon, authorization: `Bearer ${token}` };
      const response = await fetch(`${server.url}/api/broadcast`, { method: 'POST', headers, body });
      return [response.status, await response.text()];
    };
    const { events } = server.instance.context.limits;
    expect(await post(ada, 10)).toEqual([202, '']);
    expect(events.has(['user:ada'], performance.now(), 9)).toBe(false);
    events.chargeClient(['user:ada'], performance.now(), 50);
    expect(await post(ada, 1)).toEqual([429, '{"message":"You have exceeded your rate limit"}']);
    expect(await post(bob, 8)).toEqual([202, '']);
    const tooMany = '{"message":"Too many messages to broadcast, please reduce the batch size"}';
    expect(await post(bob, 10)).toEqual([429, tooMany]);
    expect(await post(bob, 1)).toEqual([202, '']);
  });
});

describe('presence', () => {
  const track = (client: WireClient, topic: string, payload: object) =>
    client.reply(client.push(topic, 'presence', { event: 'track', payload }));
  const full = refused('PresenceStateLimitReached', 'The presence state is too large');

  it('of one client above its limit ends its channel, and not those of others', async () => {
    await open({
      GREENROOM_REALTIME_PER_CLIENT_PRESENCE_EVENTS_PER_SECOND: '1',
      GREENROOM_REALTIME_MAX_CLIENT_PRESENCE_EVENTS_PER_WINDOW: '1000',
    });
    const [ann, bob] = [await server.connectFrom(ANN), await server.connectFrom(BOB)];
    for (const client of [ann, bob]) await client.join('realtime:a');
    for (let n = 0; n < 60; n += 1) ann.push('realtime:a', 'presence', { event: 'track', payload: { n } });
    expect((await ann.next('system')).payload.message).toBe('Client presence rate limit exceeded');
    expect(await track(bob, 'realtime:a', { n: 1 })).toMatchObject({ status: 'ok' });
  });

  it('is accepted from a client below its fair share while another has exhausted the total', async () => {
    await open({
      GREENROOM_REALTIME_MAX_PRESENCE_EVENTS_PER_SECOND: '1',
      GREENROOM_REALTIME_MAX_CLIENT_PRESENCE_EVENTS_PER_WINDOW: '1000',
    });
    const [ann, bob] = [await server.connectFrom(ANN), await server.connectFrom(BOB)];
    for (const client of [ann, bob]) await client.join('realtime:a');
    for (let n = 0; n < 80; n += 1) ann.push('realtime:a', 'presence', { event: 'track', payload: { n } });
    expect((await ann.next('system')).payload.message).toBe('Too many presence messages per second');
    expect(await track(bob, 'realtime:a', { n: 1 })).toMatchObject({ status: 'ok' });
  });

  it('counts against the memory of its client until it is untracked', async () => {
    await open({ GREENROOM_REALTIME_PER_CLIENT_PRESENCE_KB: '3' });
    const [ann, bob] = [await server.connectFrom(ANN), await server.connectFrom(BOB)];
    for (const topic of ['realtime:a', 'realtime:b']) for (const each of [ann, bob]) await each.join(topic);
    const payload = { text: 'x'.repeat(2000) };
    expect(await track(ann, 'realtime:a', payload)).toMatchObject({ status: 'ok' });
    expect(await track(ann, 'realtime:b', payload)).toEqual(full);
    expect(await track(bob, 'realtime:b', payload)).toMatchObject({ status: 'ok' });
    await ann.reply(ann.push('realtime:a', 'presence', { event: 'untrack' }));
    expect(await track(ann, 'realtime:b', payload)).toMatchObject({ status: 'ok' });
  });

  it('in a full topic is rejected if it is larger than the average share', async () => {
    await open({ GREENROOM_REALTIME_MAX_TOPIC_PRESENCE_KB: '4' });
    const [ann, bob] = [await server.connectFrom(ANN), await server.connectFrom(BOB)];
    for (const client of [ann, bob]) await client.join('realtime:a');
    expect(await track(ann, 'realtime:a', { text: 'x'.repeat(3800) })).toMatchObject({ status: 'ok' });
    expect(await track(bob, 'realtime:a', { text: 'x'.repeat(2500) })).toEqual(full);
    expect(await track(bob, 'realtime:a', { text: 'x'.repeat(1500) })).toMatchObject({ status: 'ok' });
  });

  it('above the size limit of a payload ends the channel', async () => {
    await open({ GREENROOM_REALTIME_MAX_PRESENCE_PAYLOAD_IN_KB: '1' });
    const ann = await server.connectFrom(ANN);
    await ann.join('realtime:a');
    ann.push('realtime:a', 'presence', { event: 'track', payload: { text: 'x'.repeat(1000) } });
    expect((await ann.next('system')).payload.message).toBe('Track message size exceeded');
  });
});

describe('policy checks', () => {
  const SLOW = `create policy slow on realtime.messages for select to anon
      using (realtime.topic() like 'quick%' or (select pg_sleep(0.3)) is not null)`;

  it('of one client do not delay those of others', async () => {
    await open({ GREENROOM_REALTIME_DB_POOL_SIZE: '2' }, { sql: SLOW });
    const [ann, bob] = [await server.connectFrom(ANN), await server.connectFrom(BOB)];
    const slow = Array.from({ length: 20 }, (_, n) => ann.join(`realtime:slow ${n}`, { private: true }));
    expect(await bob.join('realtime:quick', { private: true })).toMatchObject({ status: 'ok' });
    expect(ann.frames.filter(({ event }) => event === 'phx_reply').length).toBeLessThan(10);
    expect(server.instance.context.limits.policyChecks.waiting).toBeGreaterThan(5);
    ann.close();
    await Promise.allSettled(slow);
    await server.run('drop policy slow on realtime.messages');
  });
});

describe('memory', () => {
  it('of unfinished frames is counted for all sockets of a client', async () => {
    await open({ GREENROOM_REALTIME_PER_CLIENT_BUFFERED_KB: '500' });
    const [one, two, bob] = [
      await server.connectFrom(ANN),
      await server.connectFrom(ANN),
      await server.connectFrom(BOB),
    ];
    const { bufferedBytes } = server.instance.context.limits;
    // The header of a masked frame of one million bytes, and a part of its payload.
    const part = Buffer.concat([Buffer.from('82ff00000000000f424000000000', 'hex'), Buffer.alloc(300_000)]);
    for (const client of [one, bob]) rawSocketOf(client).write(part);
    await expect.poll(() => bufferedBytes.total, { interval: 5 }).toBe(600_028);
    rawSocketOf(two).write(part);
    expect(await two.waitForClose()).toEqual({
      code: 1013,
      reason: 'Too many bytes are buffered for this client',
    });
    expect([one.closed, bob.closed]).toEqual([undefined, undefined]);
  });

  it('of unread messages is counted for all sockets of a client', async () => {
    await open({
      GREENROOM_REALTIME_PER_CLIENT_BUFFERED_KB: '1000',
      GREENROOM_REALTIME_MAX_BUFFERED_KB: '1000000',
    });
    const [sender, quick] = [await server.connectFrom(BOB), await server.connectFrom('127.0.0.4')];
    const slow = [await server.connectFrom(ANN), await server.connectFrom(ANN)];
    for (const client of [sender, quick, ...slow]) await client.join('realtime:a');
    for (const client of slow) client.socket.pause();
    const payload = Buffer.alloc(500_000, 1);
    let rounds = 0;
    while ((await server.metric('greenroom_realtime_closed_total', { code: 'SlowReader' })) < 1) {
      sender.pushBinary('realtime:a', 'e', payload, { encoding: 0 });
      await quick.next('broadcast');
      rounds += 1;
      expect(rounds).toBeLessThan(100);
    }
    sender.pushBinary('realtime:a', 'e', payload, { encoding: 0 });
    await quick.next('broadcast');
  });

  it('is released when the sockets are closed', async () => {
    await open({});
    const client = await server.connectFrom(ANN);
    await client.join('realtime:a');
    await client.reply(client.push('realtime:a', 'presence', { event: 'track', payload: {} }));
    client.close();
    const { limits } = server.instance.context;
    const totals = () => [limits.sockets, limits.channels, limits.presenceBytes].map(({ total }) => total);
    await expect.poll(totals, { interval: 5 }).toEqual([0, 0, 0]);
  });
});

it('a client above its byte rate is read more slowly and loses no messages', async () => {
  await open({ GREENROOM_REALTIME_PER_CLIENT_KB_PER_SECOND: '64' });
  const [ann, bob] = [await server.connectFrom(ANN), await server.connectFrom(BOB)];
  for (const client of [ann, bob]) await client.join('realtime:a');
  for (let n = 0; n < 8; n += 1)
    ann.push('realtime:a', 'broadcast', { event: 'e', n, text: 'x'.repeat(100_000) });
  for (let n = 0; n < 8; n += 1) expect((await bob.next('broadcast')).payload.n).toBe(n);
  expect(server.instance.context.limits.bytes.waitMs([`net:${ANN}`], performance.now())).toBeGreaterThan(0);
});

it('a failed handshake does not change the counts of its client', async () => {
  await open({});
  const { port, pathname } = new URL(server.url);
  const raw = connect({ port: Number(port), host: '127.0.0.1', localAddress: ANN });
  raw.write(
    `GET ${pathname}/websocket?apikey=${server.apiKeys.anon} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\n` +
      'Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: short\r\n\r\n',
  );
  const [response] = await once(raw, 'data');
  expect(String(response)).toMatch(/^HTTP\/1.1 400/);
  raw.destroy();
  await expect.poll(() => server.instance.context.limits.sockets.total, { interval: 5 }).toBe(0);
});

/** Returns the TCP socket below a client's WebSocket. */
function rawSocketOf({ socket }: WireClient): { write(data: Buffer): void } {
  return (socket as unknown as { _socket: { write(data: Buffer): void } })._socket;
}
