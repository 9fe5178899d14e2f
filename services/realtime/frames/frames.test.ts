import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeFrame } from './decode.ts';
import { encodeReply, encodeText, encodeUserBroadcast } from './encode.ts';
import { ENCODING, type Frame, fitsField, type UserBroadcast } from './frame.ts';

const text = (data: string) => Buffer.from(data);
const json = (value: unknown, written = JSON.stringify(value)) => ({ kind: 'json', value, text: written });

/** Builds a binary frame: kind, lengths, the rest of the header, the fields, and the payload. */
function binary(kind: number, fields: string[], extra: number[], payload: Uint8Array): Buffer {
  const bytes = fields.map((field) => Buffer.from(field));
  return Buffer.concat([
    Buffer.from([kind, ...bytes.map((field) => field.length), ...extra]),
    ...bytes,
    payload,
  ]);
}

describe('decodeFrame', () => {
  const join = { joinRef: '1', ref: '2', topic: 'realtime:a', event: 'phx_join', payload: json({ a: 1 }) };

  it.each<[string, '1.0.0' | '2.0.0', string, unknown]>([
    [
      'an object',
      '1.0.0',
      '{"topic":"realtime:a","event":"phx_join","payload":{"a":1},"ref":"2","join_ref":"1"}',
      join,
    ],
    [
      'an object without join_ref',
      '1.0.0',
      '{"ref":"2","payload":{"a":1},"event":"phx_join","topic":"realtime:a"}',
      { ...join, joinRef: null },
    ],
    ['an array', '2.0.0', '["1","2","realtime:a","phx_join",{"a":1}]', join],
    [
      'an array with whitespace',
      '2.0.0',
      ' [ "1" , "2" ,\n"realtime:a","phx_join", {"a":1} ] ',
      { ...join, payload: json({ a: 1 }, ' {"a":1} ') },
    ],
    [
      'null values',
      '2.0.0',
      '[null,null,"phoenix","heartbeat",{}]',
      { joinRef: null, ref: null, topic: 'phoenix', event: 'heartbeat', payload: json({}) },
    ],
    [
      'escape sequences',
      '2.0.0',
      '[null,null,"a\\"],\\\\","\\u0062",[]]',
      { joinRef: null, ref: null, topic: 'a"],\\', event: 'b', payload: json([]) },
    ],
    [
      'a large number in an array',
      '2.0.0',
      '[null,null,"a","b",{"n":9007199254740993}]',
      {
        joinRef: null,
        ref: null,
        topic: 'a',
        event: 'b',
        payload: json({ n: 9007199254740992 }, '{"n":9007199254740993}'),
      },
    ],
    [
      'a large number in an object',
      '1.0.0',
      '{"topic":"a","event":"b","payload":{"n":9007199254740993,"e":1e2},"ref":null}',
      {
        joinRef: null,
        ref: null,
        topic: 'a',
        event: 'b',
        payload: json({ n: 9007199254740992, e: 100 }, '{"n":9007199254740993,"e":1e2}'),
      },
    ],
    [
      'a null payload',
      '1.0.0',
      '{"topic":"a","event":"b","payload":null,"ref":null}',
      { joinRef: null, ref: null, topic: 'a', event: 'b', payload: json(null) },
    ],
  ])('decodes %s', (_, version, sent, frame) => {
    expect(decodeFrame(version, text(sent), false)).toEqual(frame);
  });

  it.each<['1.0.0' | '2.0.0', string]>([
    ['1.0.0', ''],
    ['1.0.0', '{'],
    ['1.0.0', 'null'],
    ['1.0.0', '[]'],
    ['1.0.0', '{"event":"b","payload":{},"ref":null}'],
    ['1.0.0', '{"topic":"a","payload":{},"ref":null}'],
    ['1.0.0', '{"topic":"a","event":"b","ref":null}'],
    ['1.0.0', '{"topic":"a","event":"b","payload":{}}'],
    ['1.0.0', '{"topic":1,"event":"b","payload":{},"ref":null}'],
    ['1.0.0', '{"topic":"a","event":"b","payload":{},"ref":1}'],
    ['1.0.0', '{"topic":"a","event":"b","payload":{},"ref":"1","join_ref":{}}'],
    ['2.0.0', ''],
    ['2.0.0', '[]'],
    ['2.0.0', '["1","2","a","b"]'],
    ['2.0.0', '["1","2","a","b"'],
    ['2.0.0', '["1","2","a","b",{},{}]'],
    ['2.0.0', '["1","2","a","b",{}]]'],
    ['2.0.0', '["1","2","a","b",{}] x'],
    ['2.0.0', '[1,2,"a","b",{}]'],
    ['2.0.0', '["1","2",null,"b",{}]'],
    ['2.0.0', '["1","2","a",null,{}]'],
    ['2.0.0', '["1","2","a'],
    ['2.0.0', '{"topic":"a","event":"b","payload":{},"ref":null}'],
    ['2.0.0', `["1","2","a","b",${'['.repeat(200_000)}]`],
    ['1.0.0', `{"topic":"a","event":"b","ref":null,"payload":${'['.repeat(200_000)}${']'.repeat(200_000)}}`],
  ])('in version %s rejects $1', (version, sent) => {
    expect(decodeFrame(version, text(sent), false)).toBeUndefined();
  });

  it('decodes broadcasts in binary frames with multi-byte names', () => {
    const frame = binary(
      3,
      ['1', '', 'realtime:ü', 'größe', '{"persist":true}'],
      [ENCODING.json],
      text('{"ä":1}'),
    );
    expect(decodeFrame('2.0.0', frame, true)).toEqual({
      joinRef: '1',
      ref: null,
      topic: 'realtime:ü',
      event: 'broadcast',
      payload: {
        kind: 'user-broadcast',
        event: 'größe',
        meta: '{"persist":true}',
        encoding: 1,
        bytes: text('{"ä":1}'),
      },
    });
  });

  it('decodes binary payloads, also empty ones', () => {
    for (const bytes of [Buffer.from([0, 255, 128]), Buffer.alloc(0)]) {
      const frame = decodeFrame('2.0.0', binary(3, ['1', '2', 'a', 'b', ''], [ENCODING.bytes], bytes), true);
      expect(frame?.payload).toMatchObject({ encoding: 0, bytes });
    }
  });

  it('decodes pushes of Phoenix with a payload of opaque bytes', () => {
    const frame = decodeFrame('2.0.0', binary(0, ['1', '2', 'a', 'b'], [], text('x')), true);
    expect(frame).toEqual({ joinRef: '1', ref: '2', topic: 'a', event: 'b', payload: { kind: 'opaque' } });
  });

  it.each<[string, '1.0.0' | '2.0.0', Buffer]>([
    ['no content', '2.0.0', Buffer.alloc(0)],
    ['an unknown kind', '2.0.0', binary(4, ['1', '2', 'a', 'b', ''], [1], text('{}'))],
    ['a truncated header', '2.0.0', Buffer.from([3, 1, 1, 1])],
    ['truncated fields', '2.0.0', Buffer.from([3, 1, 1, 255, 1, 0, 1, 65])],
    ['an unknown encoding', '2.0.0', binary(3, ['1', '2', 'a', 'b', ''], [2], text('{}'))],
    ['invalid JSON', '2.0.0', binary(3, ['1', '2', 'a', 'b', ''], [1], text('{"a":1},"event":"phx_close"'))],
    ['empty JSON', '2.0.0', binary(3, ['1', '2', 'a', 'b', ''], [1], text(''))],
    [
      'invalid UTF-8 in the JSON',
      '2.0.0',
      binary(3, ['1', '2', 'a', 'b', ''], [1], Buffer.from([34, 255, 34])),
    ],
    ['invalid UTF-8 in a field', '2.0.0', Buffer.from([3, 0, 0, 1, 0, 0, 0, 255])],
    ['metadata that are not an object', '2.0.0', binary(3, ['1', '2', 'a', 'b', '[]'], [1], text('{}'))],
    ['the version 1.0.0', '1.0.0', binary(3, ['1', '2', 'a', 'b', ''], [1], text('{}'))],
  ])('rejects binary frames with %s', (_, version, frame) => {
    expect(decodeFrame(version, frame, true)).toBeUndefined();
  });

  it('does not throw for any bytes', () => {
    const version = fc.constantFrom<'1.0.0' | '2.0.0'>('1.0.0', '2.0.0');
    const almost = fc
      .tuple(fc.constantFrom(0, 3, 4), fc.uint8Array({ maxLength: 60 }))
      .map(([kind, rest]) => Buffer.from([kind, ...rest]));
    const anything = fc.oneof(
      fc.uint8Array({ maxLength: 80 }).map((bytes) => Buffer.from(bytes)),
      almost,
      fc.json().map(text),
    );
    fc.assert(
      fc.property(version, anything, fc.boolean(), (vsn, bytes, isBinary) => {
        decodeFrame(vsn, bytes, isBinary);
      }),
      { numRuns: 3000 },
    );
  });
});

const field = fc.oneof(fc.string({ unit: 'binary', maxLength: 60 }), fc.string({ maxLength: 60 }));
const ref = fc.oneof(fc.constant(null), field);

describe('frames of text', () => {
  it('are decoded to the encoded values', () => {
    fc.assert(
      fc.property(ref, ref, field, field, fc.jsonValue(), (joinRef, own, topic, event, value) => {
        const payload = JSON.stringify(value);
        for (const version of ['1.0.0', '2.0.0'] as const) {
          const { data } = encodeText(version, { joinRef, ref: own, topic, event, payload });
          const frame: Partial<Frame> = {
            ref: own,
            topic,
            event,
            payload: { kind: 'json', value: JSON.parse(payload), text: payload },
          };
          expect(decodeFrame(version, data, false)).toEqual({
            ...frame,
            joinRef: version === '1.0.0' ? null : joinRef,
          });
        }
      }),
    );
  });

  it('of replies have the format of the protocol', () => {
    const reply = { joinRef: '1', ref: '2', topic: 'a', status: 'ok', response: {} } as const;
    expect(encodeReply('1.0.0', reply).data.toString()).toBe(
      '{"topic":"a","event":"phx_reply","payload":{"status":"ok","response":{}},"ref":"2"}',
    );
    expect(encodeReply('2.0.0', reply).data.toString()).toBe(
      '["1","2","a","phx_reply",{"status":"ok","response":{}}]',
    );
  });
});

describe('broadcasts', () => {
  const broadcast = (over: Partial<UserBroadcast> = {}): UserBroadcast => ({
    kind: 'user-broadcast',
    event: 'é',
    meta: '{"id":"x"}',
    encoding: ENCODING.json,
    bytes: text('{"a":[1]}'),
    ...over,
  });

  it('are text in version 1.0.0', () => {
    expect(
      JSON.parse(encodeUserBroadcast('1.0.0', 'realtime:t', broadcast())?.data.toString() ?? ''),
    ).toEqual({
      topic: 'realtime:t',
      event: 'broadcast',
      payload: { type: 'broadcast', event: 'é', payload: { a: [1] }, meta: { id: 'x' } },
      ref: null,
    });
    const bare = encodeUserBroadcast('1.0.0', 'realtime:t', broadcast({ meta: '' }));
    expect(Object.keys(JSON.parse(bare?.data.toString() ?? '').payload)).toEqual([
      'type',
      'event',
      'payload',
    ]);
    expect(encodeUserBroadcast('1.0.0', 't', broadcast({ encoding: ENCODING.bytes }))).toBeUndefined();
  });

  it('are binary in version 2.0.0', () => {
    const frame = encodeUserBroadcast('2.0.0', 'realtime:ü', broadcast());
    expect(frame).toEqual({
      isBinary: true,
      data: binary(4, ['realtime:ü', 'é', '{"id":"x"}'], [1], text('{"a":[1]}')),
    });
  });
});

it.each([
  ['', true],
  ['a'.repeat(255), true],
  ['a'.repeat(256), false],
  ['ü'.repeat(127), true],
  ['ü'.repeat(128), false],
])('fits only texts of up to 255 bytes into a field (%#)', (value, fits) => {
  expect(fitsField(value)).toBe(fits);
});
