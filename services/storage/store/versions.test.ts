import { expect, it } from 'vitest';
import { isVersion } from './disk/paths.ts';
import { Versions } from './versions.ts';

const beginningOf = (version: string) => version.slice(0, 2);

it('consecutive versions share their beginning, and all beginnings are used equally often', () => {
  const versions = new Versions();
  const created = Array.from({ length: 256 * 64 }, () => versions.next());
  expect(created.every(isVersion)).toBe(true);
  expect(new Set(created).size).toBe(created.length);
  const changes = created.filter(
    (version, at) => at > 0 && beginningOf(version) !== beginningOf(created[at - 1] ?? ''),
  );
  expect(changes).toHaveLength(255);
  const counts = Object.values(Object.groupBy(created, beginningOf)).map((group) => group?.length);
  expect(counts).toEqual(Array.from({ length: 256 }, () => 64));
});

it('processes begin at different folders', () => {
  const first = Array.from({ length: 64 }, () => beginningOf(new Versions().next()));
  expect(new Set(first).size).toBeGreaterThan(1);
});
