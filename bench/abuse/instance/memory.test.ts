import { expect, it } from 'vitest';
import { descendants } from './memory.ts';

it('returns a process and all its descendants', () => {
  const parents = new Map([
    [2, 1],
    [3, 2],
    [4, 3],
    [5, 1],
  ]);
  expect(descendants(parents, 2)).toEqual([2, 3, 4]);
});
