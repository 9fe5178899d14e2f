import { expect, it } from 'vitest';
import { readDone, readStructureSelection, structurePath } from './selection.ts';

it.each([
  ['', { schema: 'public', table: '', change: '', object: '' }],
  [
    'schema=a&table=b&change=column.alter&object=c',
    { schema: 'a', table: 'b', change: 'column.alter', object: 'c' },
  ],
  ['schema=a%00&change=toString', { schema: 'a', table: '', change: '', object: '' }],
])('reads the selection of “%s”', (query, selection) => {
  expect(readStructureSelection(new URLSearchParams(query))).toEqual(selection);
});

it('returns a URL that has the same selection', () => {
  const selection = { schema: 'a b', table: 'c&d', change: 'index.create', object: 'é' } as const;
  const { searchParams } = new URL(structurePath(selection), 'http://x');
  expect(readStructureSelection(searchParams)).toEqual(selection);
});

it.each([
  ['', undefined],
  ['done=1', ''],
  ['done=supabase/migrations/20260101000000_a.sql', 'supabase/migrations/20260101000000_a.sql'],
  ['done=Call%20this%20number', ''],
])('reads the result of “%s”', (query, done) => {
  expect(readDone(new URLSearchParams(query))).toBe(done);
});
