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
  ['are as they were', 'id a b', 'id a b', 'id a b'],
  ['have one more at the end', 'id a b', 'id a b c', 'id a b'],
  ['have another type', 'id a b', 'id a:16 b', 'id b'],
  ['were dropped', 'id a b', 'id b', 'id'],
  ['are not all published', 'id b', 'id -a b', 'id b'],
  ['were renamed', 'id a b', 'id x b', 'id'],
  ['gave their name to a new one', 'id a', 'id old a', 'id'],
  ['exchanged their names', 'id a b c', 'id b a c', 'id'],
  ['passed their names on', 'id a b', 'id b c', 'id'],
  ['took the name of a dropped one', 'id a b', 'id b', 'id'],
  ['are none of those', 'a', 'b', ''],
])('returns only the certain ones of columns that %s', (_, before, after, same) => {
  const found = sameColumns({ columns: then(before) }, now(after));
  expect(found.map(({ name }) => name).join(' ')).toBe(same);
});
