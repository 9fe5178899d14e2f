/** Two services with connected nodes, and clients on both. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { RealtimeServer } from '../testing/realtime-server.ts';
import { type NodeBus, openNodeBus } from './bus.ts';
import { SharedMemory } from './testing/memory-log.ts';
import { QUICK } from './testing/test-node.ts';

const TOPIC = 'realtime:room';
const memory = new SharedMemory();
const buses: NodeBus[] = [];
const servers: RealtimeServer[] = [];

async function openServer(node: string): Promise<RealtimeServer> {
  const logger = { info() {}, warn() {} };
  const timings = { ...QUICK, appendTimeoutMs: 200 };
  const nodes = await openNodeBus({ node, log: memory.open(node), logger, timings });
  buses.push(nodes);
  const server = await RealtimeServer.open({ nodes });
  servers.push(server);
  return server;
}

let first: RealtimeServer;
let second: RealtimeServer;

beforeAll(async () => {
  first = await openServer('here');
  second = await openServer('there');
});
afterEach(() => {
  memory.isUnavailable = false;
  memory.appendBarrier = undefined;
  for (const server of servers) server.closeClients();
});
afterAll(async () => {
  for (const server of servers) await server.close();
  for (const bus of buses) await bus.close();
});

async function joined(server: RealtimeServer, config: object = {}, vsn = '2.0.0') {
  const client = await server.connect(vsn);
  await client.join(TOPIC, config);
  return client;
}

const messageOf = (n: number) => ({ type: 'broadcast', event: 'e', payload: { n } });

function post(path: string, body: unknown): Promise<Response> {
  const headers = { apikey: first.apiKeys.anon, 'content-type': 'application/json' };
  return fetch(`${first.url}/api/broadcast${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
}

describe('a broadcast', () => {
  it.each(['1.0.0', '2.0.0'])('reaches both nodes once in version %s', async (vsn) => {
    const [sender, near, far] = [
      await joined(first),
      await joined(first, {}, vsn),
      await joined(second, {}, vsn),
    ];
    sender.push(TOPIC, 'broadcast', messageOf(1));
    sender.pushBinary(TOPIC, 'bytes', Buffer.from('{"n":2}'));
    expect((await post('/room/events/http', { n: 3 })).status).toBe(202);
    for (const client of [near, far]) {
      expect((await client.next('broadcast')).payload).toEqual(messageOf(1));
      expect((await client.next('broadcast')).payload).toMatchObject({ event: 'bytes', payload: { n: 2 } });
      expect((await client.next('broadcast')).payload).toMatchObject({ event: 'http', payload: { n: 3 } });
      await client.settled();
      expect(client.frames).toEqual([]);
    }
    expect((await sender.next('broadcast')).payload).toMatchObject({ event: 'http' });
    await sender.settled();
    expect(sender.frames).toEqual([]);
  });

  it('is acknowledged when the log has stored it, without blocking later frames', async () => {
    const client = await joined(first, { broadcast: { ack: true, self: true } });
    const barrier = Promise.withResolvers<void>();
    memory.appendBarrier = barrier.promise;
    const refs = [
      client.push(TOPIC, 'broadcast', messageOf(1)),
      client.push(TOPIC, 'broadcast', messageOf(2)),
    ];
    expect((await client.next('broadcast')).payload).toEqual(messageOf(1));
    expect((await client.next('broadcast')).payload).toEqual(messageOf(2));
    await client.settled();
    expect(client.frames).toEqual([]);
    barrier.resolve();
    for (const ref of refs) expect(await client.reply(ref)).toEqual({ status: 'ok', response: {} });
  });

  it('is rejected if the log does not store it in time, silently without `ack`', async () => {
    const quiet = await joined(first);
    const client = await joined(first, { broadcast: { ack: true } });
    memory.isUnavailable = true;
    const message = 'The broadcast was not stored for other nodes in time';
    quiet.push(TOPIC, 'broadcast', messageOf(1));
    expect(await client.reply(client.push(TOPIC, 'broadcast', messageOf(1)))).toEqual({
      status: 'error',
      response: { reason: message },
    });
    const responses = await Promise.all([
      post('/room/events/e', { n: 1 }),
      post('', { messages: [{ topic: 'room', event: 'e', payload: {} }] }),
    ]);
    for (const response of responses) {
      expect([response.status, await response.json()]).toEqual([503, { error: message }]);
    }
    await quiet.settled();
    expect(quiet.frames.filter(({ event }) => event === 'phx_reply')).toEqual([]);
    expect(await first.metric('greenroom_realtime_nodes_dropped_total')).toBeGreaterThan(3);
  });
});

describe('presence', () => {
  it('appears on both nodes, and leaves with its socket', async () => {
    const ada = await joined(first, { presence: { enabled: true, key: 'ada' } });
    ada.push(TOPIC, 'presence', { type: 'presence', event: 'track', payload: { at: 'home' } });
    const { joins } = (await ada.next('presence_diff')).payload;
    await expect
      .poll(async () => {
        const bob = await joined(second, { presence: { enabled: true } });
        return (await bob.next('presence_state')).payload;
      })
      .toEqual(joins);
    const bob = await joined(second, { presence: { enabled: true } });
    await bob.next('presence_state');
    ada.push(TOPIC, 'presence', { type: 'presence', event: 'track', payload: { at: 'work' } });
    const { payload: moved } = await bob.next('presence_diff');
    expect([Object.keys(moved.joins), moved.leaves]).toEqual([['ada'], joins]);
    ada.close();
    expect((await bob.next('presence_diff')).payload).toEqual({ joins: {}, leaves: moved.joins });
  });
});

it('metrics report the number of nodes and their messages', async () => {
  expect(await second.metric('greenroom_realtime_nodes')).toBe(2);
  for (const counted of ['appended', 'received']) {
    expect(await second.metric(`greenroom_realtime_nodes_${counted}_total`)).toBeGreaterThan(0);
  }
});
