import { expect, it } from 'vitest';
import { type Relation, type RowChange, TOO_LARGE, type Tuple } from '../replication/pgoutput.ts';
import { rowsToCheck } from './rows-to-check.ts';

const relation: Relation = {
  oid: 7,
  schema: 'public',
  table: 'notes',
  identity: 'd',
  columns: ['text', 'b', 'a'].map((name) => ({ name, typeOid: 25, isKey: name !== 'text' })),
};
const columns = new Map(['text', 'b', 'a'].map((name) => [name, { name, arrayOid: 1009, typeText: 'text' }]));

function changeOf(record: Tuple | undefined, type: RowChange['type'] = 'INSERT'): RowChange {
  const unused = { commitTimeMs: 0, xid: 1, oldRecord: undefined, isOldComplete: false, bytes: 1 };
  return { kind: 'change', type, relation, record, ...unused };
}

it('returns the keys of rows in the order of the primary key, with their changes', () => {
  const changes = [changeOf(['x', '2', '1']), changeOf(['y', '4', '3'], 'UPDATE')];
  const found = rowsToCheck(relation, ['a', 'b'], changes, columns);
  expect(found?.changes).toEqual(changes);
  expect(found?.rows).toEqual({
    oid: 7,
    schema: 'public',
    table: 'notes',
    key: [columns.get('a'), columns.get('b')],
    rows: [
      ['1', '2'],
      ['3', '4'],
    ],
  });
});

it('leaves out deleted rows, rows of other tables, and rows without a whole key', () => {
  const unchanged = changeOf(['x', '2', '1']);
  const others = [
    changeOf(undefined, 'DELETE'),
    { ...changeOf(['x', '2', '1']), relation: { ...relation } },
    changeOf(['x', null, '1']),
    changeOf(['x', undefined, '1']),
    changeOf(['x', TOO_LARGE, '1']),
  ];
  expect(rowsToCheck(relation, ['a', 'b'], [...others, unchanged], columns)?.changes).toEqual([unchanged]);
  expect(rowsToCheck(relation, ['a', 'b'], others, columns)).toBeUndefined();
});

it.each([
  ['there is no primary key', []],
  ['the change lacks a column of it', ['a', 'later']],
])('returns nothing if %s', (_case, primaryKey) => {
  const known = new Map([...columns, ['later', { name: 'later', arrayOid: 1009, typeText: 'text' }]]);
  expect(rowsToCheck(relation, primaryKey, [changeOf(['x', '2', '1'])], known)).toBeUndefined();
});

it('returns nothing if a column of the primary key is not the same as in the change', () => {
  const certain = new Map([...columns].filter(([name]) => name !== 'b'));
  expect(rowsToCheck(relation, ['a', 'b'], [changeOf(['x', '2', '1'])], certain)).toBeUndefined();
});
