import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseBatch } from './batch.ts';

const message = { topic: 't', event: 'e', payload: { a: 1 } };

it('reads messages', () => {
  const messages = [message, { ...message, private: true }, { ...message, private: null }];
  expect(parseBatch({ messages }, 100)).toEqual({
    isValid: true,
    messages: [false, true, false].map((isPrivate) => ({ ...message, isPrivate })),
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
])('refuses %j', (body, messages) => {
  expect(parseBatch(body, 100)).toEqual({ isValid: false, errors: { messages } });
});

it('never throws', () => {
  fc.assert(fc.property(fc.jsonValue(), (body) => void parseBatch({ messages: [body] }, 100)));
});
