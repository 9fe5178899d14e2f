import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ChunkIds, chunkIdOf, chunkName, idsIn } from './chunk-ids.ts';

const idOf = (number: number) => createHash('sha256').update(String(number)).digest('hex');

it('a name contains its id', () => {
  const id = idOf(1);
  expect(chunkName(id)).toBe(`chunks/${id.slice(0, 2)}/${id}`);
  expect(chunkIdOf(chunkName(id))).toBe(id);
});

it.each([
  `chunks/00/${'ff'.repeat(32)}`,
  `chunks/ff/${'ff'.repeat(31)}`,
  `other/ff/${'ff'.repeat(32)}`,
  'chunks/ff',
])('%s is not the name of a chunk', (name) => {
  expect(chunkIdOf(name)).toBeUndefined();
});

it('a set has the ids that were listed and added, sorted', () => {
  const numbers = fc.array(fc.nat(50), { maxLength: 60 });
  fc.assert(
    fc.property(numbers, numbers, numbers, (listed, added, late) => {
      const sorted = [...new Set(listed.map(idOf))].toSorted();
      const set = new ChunkIds(Buffer.from(sorted.join(''), 'hex'));
      const expected = new Set(sorted);
      for (const batch of [added, late]) {
        for (const id of batch.map(idOf)) {
          expect(set.add(id)).toBe(!expected.has(id));
          expected.add(id);
        }
        expect([...idsIn(set.toBuffer())]).toEqual([...expected].toSorted());
        expect(set.size).toBe(expected.size);
        for (let number = 0; number <= 50; number++)
          expect(set.has(idOf(number))).toBe(expected.has(idOf(number)));
      }
    }),
  );
});
