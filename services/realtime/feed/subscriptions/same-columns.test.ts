import { expect, it } from 'vitest';
import type { CatalogColumn } from './catalog.ts';
import { sameColumns } from './same-columns.ts';

const TEXT = 25;
const then = (names: string) => names.split(' ').map((name) => ({ name, typeOid: TEXT, isKey: false }));
/** Parses `name`, `name:type`, or `-name` for an unpublished column. */
const now = (names: string) =>
  names.split(' ').map((text) => {
    const [name = '', type = TEXT] = text.replace('-', '').split(':');
    return { name, typeOid: Number(type), isPublished: !text.startsWith('-') } as CatalogColumn;
  });

it.each([
  ['are unchanged', 'id a b', 'id a b', 'id a b'],
  ['have been extended by one at the end', 'id a b', 'id a b c', 'id a b'],
  ['have changed their type', 'id a b', 'id a:16 b', 'id b'],
  ['have been dropped', 'id a b', 'id b', 'id'],
  ['are not all published', 'id b', 'id -a b', 'id b'],
  ['have been renamed', 'id a b', 'id x b', 'id'],
  ['have been renamed, and a new column has taken their name', 'id a', 'id old a', 'id'],
  ['have exchanged their names', 'id a b c', 'id b a c', 'id'],
  ['have each taken the name of the next column', 'id a b', 'id b c', 'id'],
  ['have taken the name of a dropped column', 'id a b', 'id b', 'id'],
  ['have all been replaced', 'a', 'b', ''],
])('returns the unchanged columns if columns %s', (_, before, after, same) => {
  const found = sameColumns({ columns: then(before) }, now(after));
  expect(found.map(({ name }) => name).join(' ')).toBe(same);
});
