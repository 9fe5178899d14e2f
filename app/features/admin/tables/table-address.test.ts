import { describe, expect, it } from 'vitest';
import { readSelection, type Selection, selectionQuery, tablesPath } from './table-address.ts';

describe('the selection in the URL', () => {
  it.each<[string, Selection]>([
    ['', { schema: 'public', table: undefined, filters: [], sort: undefined, after: undefined }],
    [
      'schema=a&table=b&filter=eq:c:d&sort=e.desc&after=%5B%221%22%5D',
      {
        schema: 'a',
        table: 'b',
        filters: [{ operator: 'eq', column: 'c', value: 'd' }],
        sort: { column: 'e', isDescending: true },
        after: '["1"]',
      },
    ],
    [
      'table=b&sort=my.column.asc',
      {
        schema: 'public',
        table: 'b',
        filters: [],
        sort: { column: 'my.column', isDescending: false },
        after: undefined,
      },
    ],
  ])('%j is read, and written so that it is read again', (query, selection) => {
    expect(readSelection(new URLSearchParams(query))).toEqual(selection);
    expect(readSelection(selectionQuery(selection))).toEqual(selection);
  });

  it.each([
    'schema=',
    'table=',
    `table=${'x'.repeat(64)}`,
    'table=a%00b',
    'table=a&filter=x',
    'table=a&sort=',
    `table=a&${'filter=null:a&'.repeat(21)}`,
  ])('%j is invalid', (query) => {
    expect(readSelection(new URLSearchParams(query))).toBeUndefined();
  });

  it('is part of the path of the section', () => {
    expect(tablesPath({ schema: 'a b', table: 'c&d' })).toBe('/admin/tables?schema=a+b&table=c%26d');
  });
});
