import { expect, it } from 'vitest';
import { PLACEHOLDER, sortEntries, toEntries } from './file-entry.ts';

const LISTED = [
  { name: PLACEHOLDER, id: '0', metadata: { size: 0 } },
  {
    name: '=C3=9Cbung.txt',
    id: '1',
    updated_at: '2026-11-20T21:34:24.442Z',
    metadata: { size: 5, mimetype: 'text/plain', eTag: '"x"' },
  },
  { name: 'a10.txt', id: '2', updated_at: null, metadata: null },
  { name: 'a9.txt', id: '3', metadata: {} },
  { name: 'Photos', id: null, metadata: null },
];

it('converts a list to entries without the placeholder of an empty folder', () => {
  expect(toEntries(LISTED, 'a').slice(0, 2)).toEqual([
    {
      kind: 'file',
      path: 'a/=C3=9Cbung.txt',
      name: 'Übung.txt',
      size: 5,
      type: 'text/plain',
      changedAt: 1_795_210_464,
      version: '"x"',
    },
    { kind: 'file', path: 'a/a10.txt', name: 'a10.txt', size: 0, type: '', changedAt: 0, version: '' },
  ]);
});

it('sorts folders first and numbers by value', () => {
  expect(sortEntries(toEntries(LISTED, ''), 'de').map(({ name }) => name)).toEqual([
    'Photos',
    'a9.txt',
    'a10.txt',
    'Übung.txt',
  ]);
});
