import fc from 'fast-check';
import { expect, it } from 'vitest';
import { echo, identify } from './change-ids.ts';

it('gives equal entries equal ids, in whatever order their members are', () => {
  const [one, two, other] = identify([
    { event: '*', schema: 'public' },
    { schema: 'public', event: '*' },
    { event: '*', schema: 'Public' },
  ]);
  expect(one?.id).toBe(two?.id);
  expect(one?.id).not.toBe(other?.id);
});

it('echoes what was sent, with the id in the place of any other', () => {
  const sent = [{ event: 'insert', schema: 'public', filter: 'a=eq.1', select: ['a'], id: 'mine' }];
  const entries = identify(sent);
  expect(echo(entries)).toEqual([{ ...sent[0], id: entries[0]?.id }]);
});

it('gives whole numbers that are not 0', () => {
  const params = fc.dictionary(fc.string(), fc.jsonValue());
  fc.assert(
    fc.property(fc.array(params), (changes) => {
      for (const { id } of identify(changes)) expect(Number.isSafeInteger(id) && id > 0).toBe(true);
    }),
  );
});
