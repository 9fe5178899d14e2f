import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { RealtimeServer } from '../testing/realtime-server.ts';

let server: RealtimeServer;

beforeAll(async () => {
  server = await RealtimeServer.open({
    settings: { GREENROOM_REALTIME_MAX_CLIENT_PRESENCE_EVENTS_PER_WINDOW: '100000' },
  });
});
afterAll(() => server.close());

const topic = fc.constantFrom(
  'realtime:a',
  'realtime:b',
  'realtime:',
  'phoenix',
  'realtime:ü',
  '__proto__',
  '',
);
const event = fc.constantFrom(
  'phx_join',
  'phx_join',
  'phx_leave',
  'broadcast',
  'presence',
  'access_token',
  'heartbeat',
  'x',
  '__proto__',
);
const ref = fc.constantFrom(null, '1', '2', '', 'x'.repeat(300));
const config = fc.record(
  {
    broadcast: fc.oneof(
      fc.record({ ack: fc.boolean(), self: fc.boolean(), replay: fc.jsonValue() }, { requiredKeys: [] }),
      fc.jsonValue(),
    ),
    presence: fc.oneof(
      fc.record({ key: fc.string(), enabled: fc.boolean() }, { requiredKeys: [] }),
      fc.jsonValue(),
    ),
    postgres_changes: fc.oneof(
      fc.array(fc.dictionary(fc.string(), fc.jsonValue()), { maxLength: 3 }),
      fc.jsonValue(),
    ),
    private: fc.oneof(fc.constant(false), fc.jsonValue()),
  },
  { requiredKeys: [] },
);
const payload = fc.oneof(
  fc.record(
    { config: fc.oneof(config, fc.jsonValue()), access_token: fc.oneof(fc.string(), fc.constant('sb_x')) },
    { requiredKeys: [] },
  ),
  fc.record({ event: fc.constantFrom('track', 'untrack', 'TRACK', 'x'), payload: fc.jsonValue() }),
  fc.jsonValue(),
);
const text = fc
  .tuple(ref, ref, topic, event, payload)
  .map(([join, own, name, kind, value]) => JSON.stringify([join, own, name, kind, value]));
const object = fc
  .record({ topic, event, payload, ref, join_ref: ref }, { requiredKeys: [] })
  .map((value) => JSON.stringify(value));
const broken = fc.tuple(text, fc.nat(40)).map(([frame, length]) => frame.slice(0, length));
const binary = fc
  .tuple(fc.constantFrom(0, 3, 4, 255), fc.uint8Array({ maxLength: 40 }))
  .map(([kind, rest]) => Buffer.from([kind, ...rest]));

it.each(['1.0.0', '2.0.0'])(
  'random input of a client in version %s does not crash its socket or others',
  async (vsn) => {
    const watcher = await server.connect();
    await watcher.join('realtime:watched');
    let client = await server.connect(vsn);
    const frames = fc.sample(
      fc.oneof({ weight: 4, arbitrary: vsn === '2.0.0' ? text : object }, text, object, broken, binary),
      2000,
    );
    for (const [index, frame] of frames.entries()) {
      client.socket.send(frame);
      if (index % 100 === 99) await client.settled();
      client.frames.length = 0;
      if (client.closed !== undefined) client = await server.connect(vsn);
    }
    await client.settled();
    expect(client.frames.filter(({ event: name }) => name === 'phx_error')).toEqual([]);
    expect(await server.metric('greenroom_realtime_refused_total', { code: 'unknown' })).toBe(0);
    client.close();
    await watcher.settled();
    await expect.poll(() => server.metric('greenroom_realtime_channels'), { interval: 5 }).toBe(1);
    await expect.poll(() => server.instance.context.hub.topics, { interval: 5 }).toBe(1);
    watcher.close();
    await expect.poll(() => server.metric('greenroom_realtime_sockets'), { interval: 5 }).toBe(0);
  },
);
