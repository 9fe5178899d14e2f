import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readBatch } from './batch.ts';

const message = { topic: 't', event: 'e', payload: { a: 1 } };

const read = (body: unknown) =>
  readBatch(Buffer.from(JSON.stringify(body)), { payloadBytes: 100, messages: 3 });

it('returns messages with unchanged payloads', async () => {
  const body = `{"a":[{"b":{}}],"messages":1,"messages":[{"topic":"t","event":"\\u0065","payload":{"n": 1e400}},
    {"private":true,"x":[1],"payload":{},"event":"e","topic":"t"}]}`;
  const limits = { payloadBytes: 100, messages: 3 };
  expect(await readBatch(Buffer.from(body), limits)).toEqual({
    kind: 'messages',
    messages: [
      { topic: 't', event: 'e', payload: Buffer.from('{"n": 1e400}'), isPrivate: false },
      { topic: 't', event: 'e', payload: Buffer.from('{}'), isPrivate: true },
    ],
  });
});

it('rejects more messages than allowed before it reads the rest', async () => {
  const body = `{"messages":[{},{},{},{},${'x'.repeat(200_000)}`;
  expect(await readBatch(Buffer.from(body), { payloadBytes: 100, messages: 3 })).toEqual({
    kind: 'too many',
  });
});

it.each(['', '{', '{"messages":[}', '\ufeff{}'])('rejects %j as malformed', async (body) => {
  expect(await readBatch(Buffer.from(body), { payloadBytes: 100, messages: 3 })).toEqual({
    kind: 'not JSON',
  });
});

it.each<[unknown, unknown]>([
  [null, ["can't be blank"]],
  [[], ["can't be blank"]],
  [{}, ["can't be blank"]],
  [{ messages: [] }, ["can't be blank"]],
  [{ messages: 'x' }, ['is invalid']],
  [{ messages: [message, { ...message, payload: undefined }] }, [{}, { payload: ["can't be blank"] }]],
  [
    { messages: [null] },
    [{ topic: ["can't be blank"], event: ["can't be blank"], payload: ["can't be blank"] }],
  ],
  [
    { messages: [{ ...message, topic: 7, event: '', payload: [] }] },
    [{ topic: ['is invalid'], event: ["can't be blank"], payload: ['is invalid'] }],
  ],
  [
    { messages: [{ ...message, topic: 'ü'.repeat(124), event: 'e'.repeat(256) }] },
    [{ topic: ['is invalid'], event: ['is invalid'] }],
  ],
  [{ messages: [{ ...message, private: 'true' }] }, [{ private: ['is invalid'] }]],
  [
    { messages: [{ ...message, payload: { a: 'x'.repeat(100) } }] },
    [{ payload: ['Payload size exceeds tenant limit'] }],
  ],
])('rejects %j', async (body, messages) => {
  expect(await read(body)).toEqual({ kind: 'invalid', errors: { messages } });
});

it('does not throw for any body', async () => {
  await fc.assert(fc.asyncProperty(fc.jsonValue(), async (body) => void (await read({ messages: [body] }))));
});
