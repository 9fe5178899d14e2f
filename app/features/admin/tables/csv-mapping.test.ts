import { describe, expect, it } from 'vitest';
import { mappedColumns, recordMistakes, recordValues, splitChunks, suggestMapping } from './csv-mapping.ts';
import type { TableColumn } from './table-model.ts';

const column = (name: string, more: Partial<TableColumn> = {}): TableColumn => ({
  name,
  type: 'text',
  shownType: 'text',
  kind: 'text',
  elementType: null,
  isNullable: true,
  default: null,
  isGenerated: false,
  isIdentity: false,
  labels: [],
  isSortable: true,
  comment: null,
  ...more,
});
const columns = [column('id', { kind: 'number', type: 'integer', isNullable: false }), column('full_name')];

it('suggestMapping assigns each column once, regardless of case, spaces and underscores', () => {
  expect(suggestMapping(['Full Name', 'ID', 'id', 'other'], columns)).toEqual([
    'full_name',
    'id',
    null,
    null,
  ]);
  expect(mappedColumns(['full_name', null, 'id'])).toEqual(['full_name', 'id']);
});

describe('recordValues', () => {
  it.each([
    ['null', [null, null]],
    ['text', ['', null]],
  ] as const)('reads empty fields as %s', (empty, values) => {
    expect(recordValues(['', 'skipped', ''], ['full_name', null, 'id'], { columns, empty })).toEqual(values);
  });

  it('reads missing fields as null', () => {
    expect(recordValues(['Ada'], ['full_name', 'id'], { columns, empty: 'null' })).toEqual(['Ada', null]);
  });
});

it('recordMistakes finds values of the wrong type and missing ones', () => {
  expect(recordMistakes(['x', 'Ada'], ['id', 'full_name'], { columns, record: 3 })).toEqual([
    { record: 3, column: 'id', mistake: 'integer' },
  ]);
  expect(recordMistakes([null, null], ['id', 'full_name'], { columns, record: 4 })).toEqual([
    { record: 4, column: 'id', mistake: 'required' },
  ]);
});

describe('splitChunks', () => {
  it('keeps all records in order, and limits their number', () => {
    const records = Array.from({ length: 2500 }, (_, index) => [String(index)]);
    const chunks = splitChunks(records);
    expect(chunks.map(({ length }) => length)).toEqual([1000, 1000, 500]);
    expect(chunks.flat()).toEqual(records);
  });

  it('limits the size, with at least one record in each chunk', () => {
    const long = ['x'.repeat(400_000)];
    const tooLong = ['y'.repeat(900_000)];
    expect(splitChunks([long, long, tooLong, long]).map(({ length }) => length)).toEqual([1, 1, 1, 1]);
    expect(splitChunks([])).toEqual([]);
  });
});
