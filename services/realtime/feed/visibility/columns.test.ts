import { expect, it } from 'vitest';
import { filterableColumns, isReadable } from './columns.ts';
import type { TableRights } from './rights.ts';

const columns = new Map([
  ['id', { number: 1 }],
  ['text', { number: 2 }],
  ['secret', { number: 3 }],
]);

function rightsWith(rights: Partial<TableRights>): TableRights {
  return {
    schema: 'public',
    table: 'notes',
    hasRls: true,
    bypassesRls: false,
    primaryKey: ['id'],
    selectable: new Map([
      ['id', { typeOid: 23, number: 1 }],
      ['text', { typeOid: 25, number: 2 }],
    ]),
    signature: '',
    ...rights,
  };
}

function filterable(...input: Parameters<typeof filterableColumns>): string[] {
  return [...columns.keys()].filter(filterableColumns(...input));
}

it('reads a selectable column only under the number that it has in the change', () => {
  expect(isReadable('text', rightsWith({}), columns)).toBe(true);
  expect(isReadable('secret', rightsWith({}), columns)).toBe(false);
  expect(isReadable('gone', rightsWith({}), columns)).toBe(false);
  const moved = new Map([['text', { typeOid: 25, number: 9 }]]);
  expect(isReadable('text', rightsWith({ selectable: moved }), columns)).toBe(false);
});

it('filters a row that policies were evaluated for by all readable columns', () => {
  expect(filterable('INSERT', rightsWith({}), columns, false)).toEqual(['id', 'text']);
  expect(filterable('UPDATE', rightsWith({}), columns, false)).toEqual(['id', 'text']);
});

it('filters a deleted row by its primary key, unless policies do not apply', () => {
  expect(filterable('DELETE', rightsWith({}), columns, false)).toEqual(['id']);
  expect(filterable('DELETE', rightsWith({ hasRls: false }), columns, false)).toEqual(['id', 'text']);
  expect(filterable('DELETE', rightsWith({ bypassesRls: true }), columns, false)).toEqual(['id', 'text']);
});

it('filters a withheld change by no column, unless policies do not apply', () => {
  expect(filterable('INSERT', rightsWith({}), columns, true)).toEqual([]);
  expect(filterable('INSERT', rightsWith({ hasRls: false }), columns, true)).toEqual(['id', 'text']);
});
