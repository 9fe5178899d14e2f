import fc from 'fast-check';
import { expect, it } from 'vitest';
import { echo, identify } from './change-ids.ts';

it('assigns equal ids to equal entries regardless of the order of their members', () => {
  const [one, two, other] = identify([
    { event: '*', schema: 'public' },
    { schema: 'public', event: '*' },
    { event: '*', schema: 'Public' },
  ]);
  expect(one?.id).toBe(two?.id);
  expect(one?.id).not.toBe(other?.id);
});

it('returns the sent fields, and replaces a sent id by its own', () => {
  const sent = [{ event: 'insert', schema: 'public', filter: 'a=eq.1', select: ['a'], id: 'mine' }];
  const entries = identify(sent);
  expect(echo(entries)).toEqual([{ ...sent[0], id: entries[0]?.id }]);
});

it('assigns integers other than 0', () => {
  const params = fc.dictionary(fc.string(), fc.jsonValue());
  fc.assert(
    fc.property(fc.array(params), (changes) => {
      for (const { id } of identify(changes)) expect(Number.isSafeInteger(id) && id > 0).toBe(true);
    }),
  );
});
