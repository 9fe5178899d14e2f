import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ENCODING } from '../frames/frame.ts';
import { decodeEntry, encodeEntry, MalformedEntry, type NodeMessage } from './wire.ts';

const PUBLIC = { name: 'röom "1"', isPrivate: false };
const PRIVATE = { name: 'room', isPrivate: true };
const PRESENCE = { key: '__proto__', ref: 'r', meta: '{"phx_ref":"r","n":12345678901234567890}' };

const MESSAGES: NodeMessage[] = [
  {
    kind: 'broadcast',
    topic: PUBLIC,
    broadcast: { kind: 'text', payload: Buffer.from('{"event":"ü","n":1e400}') },
  },
  {
    kind: 'broadcast',
    topic: PRIVATE,
    broadcast: {
      kind: 'user-broadcast',
      event: 'e',
      meta: '{"id":"1"}',
      encoding: ENCODING.bytes,
      bytes: Buffer.from([0, 255, 10]),
    },
  },
  {
    kind: 'broadcast',
    topic: PRIVATE,
    broadcast: {
      kind: 'user-broadcast',
      event: 'e',
      meta: '',
      encoding: ENCODING.json,
      bytes: Buffer.from('[1, 2]'),
    },
  },
  { kind: 'presence', topic: PUBLIC, joins: [PRESENCE], leaves: [] },
  { kind: 'hello' },
  { kind: 'beat', presences: 3 },
  { kind: 'ask', of: 'n' },
  {
    kind: 'snapshot',
    to: ['n'],
    isFirst: true,
    isLast: false,
    rooms: [{ topic: PRIVATE, presences: [PRESENCE] }],
  },
  { kind: 'bye' },
];

/** Builds an entry from a header and payloads. */
function entry(header: unknown, payload = ''): Buffer {
  const text = Buffer.from(typeof header === 'string' ? header : JSON.stringify(header));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(text.length);
  return Buffer.concat([length, text, Buffer.from(payload)]);
}

const text = { kind: 'text', topic: PRIVATE, length: 2 };
const userBroadcast = {
  kind: 'user-broadcast',
  topic: PRIVATE,
  event: 'e',
  meta: '',
  encoding: 1,
  length: 2,
};
const presence = { kind: 'presence', topic: PRIVATE, joins: [], leaves: [] };

describe('an entry', () => {
  it('is decoded to the encoded messages', () => {
    expect(decodeEntry(encodeEntry(MESSAGES))).toEqual(MESSAGES);
    for (const message of MESSAGES) expect(decodeEntry(encodeEntry([message]))).toEqual([message]);
    expect(decodeEntry(encodeEntry([]))).toEqual([]);
  });

  it('does not contain the excluded channel of a broadcast', () => {
    const broadcast = { kind: 'text', payload: '1' } as const;
    const bytes = encodeEntry([{ kind: 'broadcast', topic: PUBLIC, broadcast, except: 'somebody' }]);
    expect(String(bytes)).not.toContain('somebody');
  });

  it.each<[string, Buffer]>([
    ['no content', Buffer.alloc(0)],
    ['a truncated length', Buffer.from([0, 0])],
    ['a truncated header', Buffer.from([255, 255, 255, 255, 91])],
    ['invalid JSON', entry('[')],
    ['a header that is not a list', entry({})],
    ['a list without messages', entry([null])],
    ['an unknown kind', entry([{ kind: 'dance' }])],
    ['a missing payload', entry([text], '1')],
    ['a surplus payload', entry([text], '123')],
    ['a payload of negative length', entry([{ ...text, length: -2 }])],
    ['a payload that is not JSON', entry([text], '{]')],
    ['a payload declared as JSON that is invalid', entry([userBroadcast], '{]')],
    ['a payload of invalid UTF-8', Buffer.concat([entry([text]), Buffer.from([34, 255])])],
    [
      'a topic that is too long',
      entry([{ ...text, topic: { name: 'x'.repeat(300), isPrivate: true } }], '{}'),
    ],
    ['a topic without a kind', entry([{ ...text, topic: { name: 'x' } }], '{}')],
    ['an event that is too long', entry([{ ...userBroadcast, event: 'x'.repeat(300) }], '{}')],
    ['an unknown encoding', entry([{ ...userBroadcast, encoding: 7 }], '{}')],
    ['metadata that are not an object', entry([{ ...userBroadcast, meta: '1' }], '{}')],
    ['a presence without changes', entry([{ ...presence, joins: [{ key: 'a', ref: 'r', meta: 'x' }] }])],
    ['a presence without a ref', entry([{ ...presence, leaves: [{ key: 'a', meta: '{}' }] }])],
    ['an invalid count in a heartbeat', entry([{ kind: 'beat', presences: '1' }])],
    ['a snapshot for an invalid node', entry([{ kind: 'snapshot', to: [1], rooms: [] }])],
    ['a channel without presences', entry([{ kind: 'snapshot', to: [], rooms: [{ topic: PRIVATE }] }])],
  ])('with %s is rejected', (_name, bytes) => {
    expect(() => decodeEntry(bytes)).toThrow(MalformedEntry);
  });

  it('is decoded or rejected for any change of its bytes', () => {
    const encoded = encodeEntry(MESSAGES);
    fc.assert(
      fc.property(
        fc.nat(encoded.length - 1),
        fc.uint8Array({ maxLength: 8 }),
        fc.nat(8),
        (at, bytes, removed) => {
          const changed = Buffer.concat([encoded.subarray(0, at), bytes, encoded.subarray(at + removed)]);
          try {
            decodeEntry(changed);
          } catch (error) {
            expect(error).toBeInstanceOf(MalformedEntry);
          }
        },
      ),
    );
  });
});
