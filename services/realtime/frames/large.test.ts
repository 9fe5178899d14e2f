import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { RealtimeServer } from '../testing/realtime-server.ts';
import { decodeFrame } from './decode.ts';
import { decodeLargeFrame, isLargeFrame } from './decode-large.ts';
import type { Frame, Version } from './frame.ts';
import { LARGE_BYTES } from './scan.ts';

const TEXT = 'x'.repeat(LARGE_BYTES);
const member = `"t":"${TEXT}"`;

/** Converts payloads of small and large frames to text for comparison. */
function textOf(frame: Frame | undefined): unknown {
  if (frame === undefined) return undefined;
  const { payload, ...rest } = frame;
  if (payload.kind === 'json') return { ...rest, payload: JSON.parse(payload.text) };
  if (payload.kind === 'large') return { ...rest, payload: JSON.parse(String(payload.bytes)) };
  return { ...rest, payload };
}

const kind3 = (meta: string, encoding: number, payload: string) =>
  Buffer.concat([
    Buffer.from([3, 1, 1, 1, 1, Buffer.byteLength(meta), encoding]),
    Buffer.from(`1234${meta}${payload}`),
  ]);

describe('a large frame', () => {
  it.each<[Version, string]>([
    ['2.0.0', `["1","2","t","e",{${member},"n":1e400}]`],
    ['2.0.0', ` [ null , null , "t" , "\\u0065" , [${`"${TEXT}"`}] ] `],
    ['2.0.0', `["1","2","t","e"]${' '.repeat(LARGE_BYTES)}`],
    ['2.0.0', `["1","2","t","e",{},{${member}}]`],
    ['2.0.0', `["1",2,"t","e",{${member}}]`],
    ['2.0.0', `["1","2",null,"e",{${member}}]`],
    ['2.0.0', `["1","2","t","e",{${member}]`],
    ['2.0.0', `{"topic":"t","event":"e","ref":null,"payload":{${member}}}`],
    ['1.0.0', `{"topic":"t","event":"e","ref":null,"payload":{${member}}}`],
    ['1.0.0', `{"payload":{},"topic":"t","join_ref":"1","event":"e","ref":"2","payload":{${member}}}`],
    ['1.0.0', `{"topic":"t","event":"e","payload":{${member}}}`],
    ['1.0.0', `{"topic":7,"event":"e","ref":null,"payload":{${member}}}`],
    ['1.0.0', `{"topic":"t","event":"e","ref":null,"${TEXT}":1}`],
    ['1.0.0', `["1","2","t","e",{${member}}]`],
    ['1.0.0', `${TEXT}x`],
  ])('in version %s is decoded like a small one: $1', async (version, text) => {
    const data = Buffer.from(text);
    expect(isLargeFrame(version, data, false)).toBe(true);
    expect(textOf(await decodeLargeFrame(version, data, false))).toEqual(
      textOf(decodeFrame(version, data, false)),
    );
  });

  it.each([
    ['{"a":1}', 1, `{${member}}`],
    ['', 1, `{${member}`],
    ['[]', 1, `{${member}}`],
  ])(
    'in binary with metadata %j and encoding %i is decoded like a small one',
    async (meta, encoding, payload) => {
      const data = kind3(meta, encoding, payload);
      const read = await decodeLargeFrame('2.0.0', data, true).catch(() => undefined);
      expect(read).toEqual(decodeFrame('2.0.0', data, true));
    },
  );

  it('with a binary payload needs no scan', () => {
    expect(isLargeFrame('2.0.0', kind3('', 0, TEXT), true)).toBe(false);
  });
});

describe('a large frame on a socket', () => {
  let server: RealtimeServer;

  beforeAll(async () => {
    server = await RealtimeServer.open();
  });
  afterEach(() => server.closeClients());
  afterAll(() => server.close());

  async function joined(vsn = '2.0.0') {
    const client = await server.connect(vsn);
    expect(await client.join('realtime:a')).toMatchObject({ status: 'ok' });
    return client;
  }

  it.each(['1.0.0', '2.0.0'])(
    'delivers broadcasts of version %s unchanged and in order with small ones',
    async (vsn) => {
      const sender = await joined(vsn);
      const receivers = [await joined('1.0.0'), await joined('2.0.0')];
      const numbers = Array.from({ length: 9 }, (_, n) => n);
      for (const n of numbers) {
        const text = n % 3 === 0 ? 'ü'.repeat(200_000) : 'small';
        sender.push('realtime:a', 'broadcast', { type: 'broadcast', event: 'e', payload: { n, text } });
      }
      for (const receiver of receivers) {
        for (const n of numbers) {
          const { payload } = (await receiver.next('broadcast')).payload;
          expect([payload.n, payload.text.length]).toEqual([n, n % 3 === 0 ? 200_000 : 5]);
        }
      }
    },
  );

  it('delivers large binary broadcasts in JSON, and drops malformed ones', async () => {
    const [sender, receiver] = [await joined(), await joined('1.0.0')];
    sender.pushBinary('realtime:a', 'bad', Buffer.from(`{${member}`));
    sender.pushBinary('realtime:a', 'good', Buffer.from(`{${member}}`));
    expect((await receiver.next('broadcast')).payload).toEqual({
      type: 'broadcast',
      event: 'good',
      payload: { t: TEXT },
    });
  });

  it('rejects a join', async () => {
    const client = await server.connect();
    const changes = Array.from({ length: 100_000 }, () => ({}));
    expect(await client.join('realtime:a', { postgres_changes: changes })).toEqual({
      status: 'error',
      response: { reason: 'InvalidJoinPayload: The payload of a join must not exceed 131072 bytes' },
    });
    expect(await client.join('realtime:a')).toMatchObject({ status: 'ok' });
  });

  it('ends the channel for a presence, and ignores an access token', async () => {
    const client = await joined();
    client.push('realtime:a', 'access_token', { access_token: TEXT });
    await client.settled();
    expect(client.frames.filter(({ event }) => event !== 'presence_state')).toEqual([]);
    client.push('realtime:a', 'presence', { event: 'track', payload: { text: TEXT } });
    expect((await client.next('system')).payload.message).toBe('Track message size exceeded');
  });

  it.each([
    [
      'nested too deeply',
      `["1","9","realtime:a","broadcast",{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}]`,
    ],
    ['truncated', `["1","9","realtime:a","broadcast",{${member}`],
  ])('drops JSON that is %s and keeps the socket open', async (_, frame) => {
    const [sender, receiver] = [await joined(), await joined()];
    sender.socket.send(frame);
    sender.push('realtime:a', 'broadcast', { event: 'next' });
    expect((await receiver.next('broadcast')).payload).toEqual({ event: 'next' });
  });
});
