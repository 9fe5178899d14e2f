/** The official client against the service, in both protocol versions. */
import { type RealtimeChannel, RealtimeClient } from '@supabase/realtime-js';
import { createClient } from '@supabase/supabase-js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { RealtimeServer } from './testing/realtime-server.ts';

const ADA = '11111111-1111-4111-8111-111111111111';
let server: RealtimeServer;
const clients: RealtimeClient[] = [];

/** The sockets of clients, which tests can disconnect. */
const sockets: WebSocket[] = [];
class ObservedSocket extends WebSocket {
  constructor(url: string, protocols?: string | string[]) {
    super(url, protocols);
    sockets.push(this);
  }
}

beforeAll(async () => {
  server = await RealtimeServer.open({
    sql: `
      create policy read on realtime.messages for select to authenticated using (realtime.topic() = auth.uid()::text);
      create policy write on realtime.messages for insert to authenticated with check (realtime.topic() = auth.uid()::text)`,
  });
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.disconnect()));
});
afterAll(() => server.close());

function connect(vsn: string, accessToken?: string, heartbeatIntervalMs = 10_000): RealtimeClient {
  const client = new RealtimeClient(server.url.replace('http', 'ws'), {
    params: { apikey: server.apiKeys.anon },
    vsn,
    transport: ObservedSocket as never,
    heartbeatIntervalMs,
    reconnectAfterMs: () => 10,
    ...(accessToken !== undefined && { accessToken: async () => accessToken }),
  });
  clients.push(client);
  return client;
}

/** Resolves with the first final status. */
function subscribed(channel: RealtimeChannel): Promise<[string, string | undefined]> {
  return new Promise((resolve) => channel.subscribe((status, error) => resolve([status, error?.message])));
}

describe.each(['1.0.0', '2.0.0'])('the client in version %s', (vsn) => {
  it('broadcasts, and receives its own broadcasts with `self`', async () => {
    const received: unknown[] = [];
    const config = { broadcast: { self: true, ack: true } };
    const [mine, theirs] = [connect(vsn).channel('größe 1', { config }), connect(vsn).channel('größe 1')];
    for (const channel of [mine, theirs]) {
      channel.on('broadcast', { event: 'café' }, ({ payload }) => received.push(payload));
      expect(await subscribed(channel)).toEqual(['SUBSCRIBED', undefined]);
    }
    expect(await mine.send({ type: 'broadcast', event: 'café', payload: { n: 1 } })).toBe('ok');
    await expect.poll(() => received, { interval: 2 }).toEqual([{ n: 1 }, { n: 1 }]);
  });

  it('tracks presence, and receives joins and leaves', async () => {
    const events: unknown[] = [];
    const [ada, bob] = ['ada', 'bob'].map((key) =>
      connect(vsn).channel('presence', { config: { presence: { key } } }),
    );
    if (ada === undefined || bob === undefined) throw new Error('no channels');
    ada
      .on('presence', { event: 'join' }, ({ key, newPresences }) =>
        events.push(['join', key, newPresences[0]?.at]),
      )
      .on('presence', { event: 'leave' }, ({ key, leftPresences }) =>
        events.push(['leave', key, leftPresences[0]?.at]),
      );
    bob.on('presence', { event: 'sync' }, () => {});
    for (const channel of [ada, bob]) await subscribed(channel);
    expect(await ada.track({ at: 'home' })).toBe('ok');
    expect(await bob.track({ at: 'work' })).toBe('ok');
    await expect
      .poll(() => Object.keys(ada.presenceState()).toSorted(), { interval: 2 })
      .toEqual(['ada', 'bob']);
    await expect
      .poll(() => Object.keys(bob.presenceState()).toSorted(), { interval: 2 })
      .toEqual(['ada', 'bob']);
    expect(await bob.track({ at: 'sea' })).toBe('ok');
    await expect.poll(() => ada.presenceState<{ at: string }>().bob?.[0]?.at, { interval: 2 }).toBe('sea');
    await bob.unsubscribe();
    await expect.poll(() => Object.keys(ada.presenceState()), { interval: 2 }).toEqual(['ada']);
    expect(events).toEqual([
      ['join', 'ada', 'home'],
      ['join', 'bob', 'work'],
      ['join', 'bob', 'sea'],
      ['leave', 'bob', 'work'],
      ['leave', 'bob', 'sea'],
    ]);
  });

  it('joins private channels that its token permits, and no others', async () => {
    const client = connect(vsn, await server.token({ sub: ADA }));
    await client.setAuth();
    const config = { private: true, broadcast: { ack: true } };
    const [own, other] = [client.channel(ADA, { config }), client.channel('other', { config })];
    expect(await subscribed(own)).toEqual(['SUBSCRIBED', undefined]);
    expect(await own.send({ type: 'broadcast', event: 'e', payload: {} })).toBe('ok');
    const [status, message] = await subscribed(other);
    expect(status).toBe('CHANNEL_ERROR');
    expect(message).toContain('You do not have permissions to read from this Channel topic: other');
  });

  it('leaves and joins again', async () => {
    const client = connect(vsn);
    const channel = client.channel('again');
    await subscribed(channel);
    expect(await client.removeChannel(channel)).toBe('ok');
    expect(await subscribed(client.channel('again'))).toEqual(['SUBSCRIBED', undefined]);
  });

  it('keeps its connection open with heartbeats', async () => {
    const client = connect(vsn, undefined, 50);
    const beats: string[] = [];
    client.onHeartbeat((status) => beats.push(status));
    await subscribed(client.channel('beats'));
    await expect
      .poll(() => beats.filter((status) => status === 'ok').length, { interval: 5 })
      .toBeGreaterThan(1);
    expect(client.isConnected()).toBe(true);
  });

  it('reconnects automatically when the socket is lost', async () => {
    const client = connect(vsn);
    const statuses: string[] = [];
    const received: unknown[] = [];
    const channel = client
      .channel('back')
      .on('broadcast', { event: 'e' }, ({ payload }) => received.push(payload));
    channel.subscribe((status) => statuses.push(status));
    await expect.poll(() => statuses, { interval: 2 }).toEqual(['SUBSCRIBED']);
    sockets.at(-1)?.terminate();
    await expect
      .poll(() => statuses.at(-1) === 'SUBSCRIBED' && statuses.length > 1, { interval: 5, timeout: 10_000 })
      .toBe(true);
    expect(await channel.httpSend('e', { n: 1 })).toEqual({ success: true });
    await expect.poll(() => received, { interval: 2 }).toEqual([{ n: 1 }]);
  });
});

describe('version 2.0.0', () => {
  it('broadcasts binary payloads over sockets and over HTTP', async () => {
    const received: unknown[] = [];
    const [mine, theirs] = [connect('2.0.0').channel('bytes'), connect('2.0.0').channel('bytes')];
    theirs.on('broadcast', { event: 'e' }, ({ payload }) => received.push([...new Uint8Array(payload)]));
    for (const channel of [mine, theirs]) await subscribed(channel);
    const bytes = new Uint8Array([0, 1, 255]);
    await mine.send({ type: 'broadcast', event: 'e', payload: bytes.buffer });
    await expect.poll(() => received, { interval: 2 }).toEqual([[0, 1, 255]]);
    expect(await mine.httpSend('e', bytes.buffer)).toEqual({ success: true });
    await expect.poll(() => received, { interval: 2 }).toHaveLength(2);
  });
});

it('supabase-js sends permitted broadcasts over HTTP before it has subscribed', async () => {
  const supabase = createClient(server.apiUrl, server.apiKeys.publishable, {
    accessToken: () => server.token({ sub: ADA }),
    realtime: { transport: WebSocket as never },
  });
  await supabase.realtime.setAuth();
  const received: unknown[] = [];
  const config = { private: true };
  const receiver = supabase
    .channel(ADA, { config })
    .on('broadcast', { event: 'e' }, ({ payload }) => received.push(payload));
  expect(await subscribed(receiver)).toEqual(['SUBSCRIBED', undefined]);
  const sender = createClient(server.apiUrl, server.apiKeys.secret, {
    auth: { persistSession: false },
    realtime: { logger: () => {} },
  });
  expect(await sender.channel(ADA, { config }).httpSend('e', { by: 'one' })).toEqual({ success: true });
  expect(
    await sender.channel(ADA, { config }).send({ type: 'broadcast', event: 'e', payload: { by: 'batch' } }),
  ).toBe('ok');
  await expect.poll(() => received, { interval: 2 }).toEqual([{ by: 'one' }, { by: 'batch' }]);
  const stranger = createClient(server.apiUrl, server.apiKeys.anon, { auth: { persistSession: false } });
  await expect(stranger.channel(ADA, { config }).httpSend('e', {})).rejects.toThrow('Unauthorized');
  await supabase.removeAllChannels();
});
