import { expect, it } from 'vitest';
import { valueChanges } from './value-changes.ts';

it.each([
  ['nothing', null, undefined, []],
  [
    'a changed field before an equal one',
    { id: 1, name: 'a' },
    { id: 1, name: 'b' },
    [
      { name: 'name', before: 'a', after: 'b', isChanged: true },
      { name: 'id', before: '1', after: '1', isChanged: false },
    ],
  ],
  ['a new object', null, { id: 1 }, [{ name: 'id', before: undefined, after: '1', isChanged: true }]],
  [
    'a removed object',
    { id: null },
    null,
    [{ name: 'id', before: 'null', after: undefined, isChanged: true }],
  ],
  ['texts', 'a', 'b', [{ name: '', before: 'a', after: 'b', isChanged: true }]],
  ['lists', [1], [1], [{ name: '', before: '[\n  1\n]', after: '[\n  1\n]', isChanged: false }]],
])('valueChanges returns the fields of %s', (_, before, after, expected) => {
  expect(valueChanges(before, after)).toEqual(expected);
});
