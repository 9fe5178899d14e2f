import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { RealtimeServer } from '../testing/realtime-server.ts';
import type { WireFrame } from '../testing/wire-client.ts';

let server: RealtimeServer;

beforeAll(async () => {
  server = await RealtimeServer.open({ settings: { GREENROOM_REALTIME_MAX_PAYLOAD_SIZE_IN_KB: '1' } });
});
afterEach(() => server.closeClients());
afterAll(() => server.close());

const TOPIC = 'realtime:größe';
const isBroadcast = ({ event }: WireFrame) => event === 'broadcast';

async function joined(vsn: string, broadcast: object = {}) {
  const client = await server.connect(vsn);
  await client.join(TOPIC, { broadcast });
  return client;
}

describe('a broadcast', () => {
  it.each(['1.0.0', '2.0.0'])('as text of version %s reaches both versions unchanged', async (vsn) => {
    const [sender, old, young] = [await joined(vsn), await joined('1.0.0'), await joined('2.0.0')];
    const sent = { type: 'broadcast', event: 'e', payload: { a: [1, 'ü'] }, extra: { b: null } };
    sender.push(TOPIC, 'broadcast', sent);
    for (const receiver of [old, young]) {
      const frame = await receiver.next('broadcast');
      expect(frame).toMatchObject({ topic: TOPIC, ref: null, joinRef: null, payload: sent });
      expect(frame.bytes).toBeUndefined();
    }
    await sender.settled();
    expect(sender.frames).toEqual([]);
  });

  it('preserves numbers that JavaScript cannot represent', async () => {
    for (const vsn of ['1.0.0', '2.0.0']) {
      const [sender, receiver] = [await joined(vsn), await joined('2.0.0')];
      let raw = '';
      receiver.socket.on('message', (data) => {
        raw = String(data);
      });
      const payload = '{"type":"broadcast","event":"e","payload":{"n":9007199254740993}}';
      const frame =
        vsn === '1.0.0'
          ? `{"topic":"${TOPIC}","event":"broadcast","payload":${payload},"ref":null}`
          : `[null,null,"${TOPIC}","broadcast",${payload}]`;
      sender.socket.send(frame);
      await receiver.next('broadcast');
      expect(raw).toContain(payload);
    }
  });

  it('in binary arrives as binary in version 2.0.0 and as text in 1.0.0, without its metadata', async () => {
    const [sender, old, young] = [await joined('2.0.0'), await joined('1.0.0'), await joined('2.0.0')];
    sender.pushBinary(TOPIC, 'é', Buffer.from('{"a":"ü"}'), { meta: '{"persist":true}' });
    const payload = { type: 'broadcast', event: 'é', payload: { a: 'ü' } };
    const frame = await young.next('broadcast');
    expect([frame.payload, frame.bytes?.toString()]).toEqual([payload, '{"a":"ü"}']);
    expect((await old.next('broadcast')).payload).toEqual(payload);
  });

  it('with a binary payload reaches version 2.0.0 only', async () => {
    const [sender, old, young] = [await joined('2.0.0'), await joined('1.0.0'), await joined('2.0.0')];
    sender.pushBinary(TOPIC, 'bytes', Buffer.from([0, 255]), { encoding: 0 });
    sender.pushBinary(TOPIC, 'json', Buffer.from('1'));
    expect((await young.next('broadcast')).bytes).toEqual(Buffer.from([0, 255]));
    expect((await old.next('broadcast')).payload.event).toBe('json');
  });

  it('reaches its sender with `self` and is acknowledged with `ack`', async () => {
    const client = await joined('2.0.0', { self: true, ack: 'true' });
    const ref = client.push(TOPIC, 'broadcast', { type: 'broadcast', event: 'e', payload: {} });
    expect(await client.reply(ref)).toEqual({ status: 'ok', response: {} });
    expect((await client.next('broadcast')).payload.event).toBe('e');
    expect(await client.reply(client.pushBinary(TOPIC, 'e', Buffer.from('{}')))).toMatchObject({
      status: 'ok',
    });
  });

  it('above the size limit is rejected with `ack`, and dropped silently without', async () => {
    const [acknowledged, unacknowledged] = [await joined('2.0.0', { ack: true }), await joined('2.0.0')];
    const large = { type: 'broadcast', event: 'e', payload: { a: 'x'.repeat(1500) } };
    const refusal = { status: 'error', response: 'payload_size_exceeded' };
    expect(await acknowledged.reply(acknowledged.push(TOPIC, 'broadcast', large))).toEqual(refusal);
    expect(
      await acknowledged.reply(acknowledged.pushBinary(TOPIC, 'e', Buffer.alloc(1501), { encoding: 0 })),
    ).toEqual(refusal);
    unacknowledged.push(TOPIC, 'broadcast', large);
    await unacknowledged.settled();
    expect([...unacknowledged.frames, ...acknowledged.frames]).toEqual([]);
    expect(await server.metric('greenroom_realtime_messages_dropped_total', { kind: 'too large' })).toBe(3);
  });

  it('without an object as payload is dropped', async () => {
    const client = await joined('2.0.0', { self: true });
    for (const payload of [null, 'x', 7, []]) client.push(TOPIC, 'broadcast', payload);
    client.socket.send(Buffer.from([0, 0, 0, TOPIC.length + 2, 9, ...Buffer.from(`${TOPIC}broadcast`)]));
    await client.settled();
    expect(client.frames).toEqual([]);
  });

  it('does not reach a client after it has left the channel', async () => {
    const [sender, left, remaining] = [await joined('2.0.0'), await joined('2.0.0'), await joined('2.0.0')];
    await left.reply(left.push(TOPIC, 'phx_leave', {}));
    sender.push(TOPIC, 'broadcast', { event: 'e' });
    await remaining.next('broadcast');
    await left.settled();
    expect(left.frames.filter(isBroadcast)).toEqual([]);
  });
});
