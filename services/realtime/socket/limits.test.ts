import { createTestDatabase, type TestDatabase } from '@greenroom/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { RealtimeServer, type RealtimeServerOptions } from '../testing/realtime-server.ts';

let database: TestDatabase;
let server: RealtimeServer;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterEach(() => server.close());
afterAll(() => database.drop());

async function connectTo(options: RealtimeServerOptions) {
  server = await RealtimeServer.open({ ...options, database });
  return server.connect();
}

it('a socket rejects joins above its maximum number of channels', async () => {
  const client = await connectTo({ settings: { GREENROOM_REALTIME_MAX_CHANNELS_PER_CLIENT: '2' } });
  await client.join('realtime:a');
  await client.join('realtime:b');
  const refusal = { status: 'error', response: { reason: 'ChannelRateLimitReached: Too many channels' } };
  expect(await client.join('realtime:c')).toEqual(refusal);
  expect(await client.join('realtime:b')).toMatchObject({ status: 'ok' });
  await client.reply(client.push('realtime:a', 'phx_leave', {}));
  expect(await client.join('realtime:c')).toMatchObject({ status: 'ok' });
});

it('joins above the total rate close their socket', async () => {
  const client = await connectTo({ settings: { GREENROOM_REALTIME_MAX_JOINS_PER_SECOND: '1' } });
  for (let round = 0; round < 60; round += 1) client.push('realtime:a', 'phx_join', { config: {} });
  const reason = 'ClientJoinRateLimitReached: Too many joins per second';
  const refused = client.push('realtime:a', 'phx_join', { config: {} });
  expect(await client.reply(refused)).toEqual({ status: 'error', response: { reason } });
  expect(await client.waitForClose()).toEqual({ code: 1008, reason: 'Too many joins per second' });
});

it('messages above the total rate, received or delivered, end their channel', async () => {
  const client = await connectTo({ settings: { GREENROOM_REALTIME_MAX_EVENTS_PER_SECOND: '1' } });
  const other = await server.connect();
  await other.join('realtime:a');
  await client.join('realtime:a');
  for (let round = 0; round < 40; round += 1) client.push('realtime:a', 'broadcast', { event: 'e' });
  const system = {
    extension: 'system',
    status: 'error',
    message: 'Too many messages per second',
    channel: 'a',
  };
  expect((await client.next('system')).payload).toEqual(system);
  await client.next('phx_close');
  await other.settled();
  expect(other.frames.every(({ event }) => event === 'broadcast')).toBe(true);
  expect(other.frames.length).toBeLessThan(31);
});

it('presence calls above the limit of all channels together end their channel', async () => {
  const client = await connectTo({
    settings: {
      GREENROOM_REALTIME_MAX_PRESENCE_EVENTS_PER_SECOND: '1',
      GREENROOM_REALTIME_MAX_CLIENT_PRESENCE_EVENTS_PER_WINDOW: '1000',
    },
  });
  await client.join('realtime:a');
  for (let n = 0; n < 61; n += 1) client.push('realtime:a', 'presence', { event: 'track', payload: { n } });
  expect((await client.next('system')).payload.message).toBe('Too many presence messages per second');
});

it('frames above the rate of a socket close it', async () => {
  const client = await connectTo({ settings: { GREENROOM_REALTIME_MAX_FRAMES_PER_SECOND: '1' } });
  for (let round = 0; round < 61; round += 1) client.push('phoenix', 'heartbeat', {});
  expect(await client.waitForClose()).toEqual({ code: 1008, reason: 'Too many frames per second' });
});

describe('a socket', () => {
  it('is closed when it is silent', async () => {
    const client = await connectTo({ timings: { idleMs: 40 } });
    await client.join('realtime:a');
    expect(await client.waitForClose()).toEqual({ code: 1000, reason: 'No frame was received in time' });
  });

  it('is closed without channels, even if it sends frames', async () => {
    const client = await connectTo({ timings: { idleMs: 2000, emptySocketMs: 30 } });
    const beating = setInterval(() => client.push('phoenix', 'heartbeat', {}), 5);
    expect(await client.waitForClose()).toEqual({ code: 1000, reason: 'No channel was joined in time' });
    clearInterval(beating);
  });

  it('is closed when it reads too slowly, while others receive', async () => {
    const sender = await connectTo({ settings: { GREENROOM_REALTIME_MAX_BUFFERED_KB: '64' } });
    const [slow, quick] = [await server.connect(), await server.connect()];
    for (const each of [sender, slow, quick]) await each.join('realtime:a');
    slow.socket.pause();
    const payload = Buffer.alloc(500_000, 1);
    let rounds = 0;
    while ((await server.metric('greenroom_realtime_closed_total', { code: 'SlowReader' })) === 0) {
      sender.pushBinary('realtime:a', 'e', payload, { encoding: 0 });
      await quick.next('broadcast');
      rounds += 1;
      expect(rounds).toBeLessThan(200);
    }
    await expect.poll(() => server.metric('greenroom_realtime_sockets'), { interval: 5 }).toBe(2);
    sender.pushBinary('realtime:a', 'e', payload, { encoding: 0 });
    await quick.next('broadcast');
  });
});

it('limits the frames that wait for a join and keeps their order', async () => {
  const client = await connectTo({});
  const other = await server.connect();
  await other.join('realtime:a');
  client.push('realtime:a', 'phx_join', { config: {} });
  for (let n = 0; n < 2000; n += 1) client.push('realtime:a', 'broadcast', { event: 'e', n });
  for (let n = 0; n < 2000; n += 1) expect((await other.next('broadcast')).payload.n).toBe(n);
});

it('shutdown closes sockets with a code that makes clients reconnect', async () => {
  const client = await connectTo({});
  await client.join('realtime:a');
  const { hub } = server.instance.context;
  const closed = client.waitForClose();
  await Promise.all([server.shutDown(), closed]);
  expect(await closed).toEqual({ code: 1012, reason: 'Realtime is restarting, please standby' });
  expect(hub.topics).toBe(0);
});
