import { describe, expect, it } from 'vitest';
import { parseColumnOrigins } from './node-tree.ts';

const entry = (fields: string) =>
  `{TARGETENTRY :expr {CONST :constvalue 4 [ 1 0 0 0 ] :location 7} ${fields}}`;
const query = (targetList: string) =>
  `({QUERY :commandType 1 :rtable ({RTE :eref {ALIAS :colnames ("a\\ b" "\\}\\{")}}) :targetList ${targetList} :limitCount <>})`;
const origin = (column: number) => ({ column, table: 16385, tableColumn: 3 });

describe('parseColumnOrigins', () => {
  it.each([
    ['returns nothing without columns', '<>', []],
    [
      'returns the origin of one column',
      `(${entry(':resno 1 :resname id :resorigtbl 16385 :resorigcol 3 :resjunk false')})`,
      [origin(1)],
    ],
    [
      'skips columns without an origin',
      `( ${entry(':resno 1 :resorigtbl 0 :resorigcol 0 :resjunk false')}\n\t${entry(':resno 2 :resorigtbl 16385 :resorigcol 3 :resjunk false')} )`,
      [origin(2)],
    ],
    [
      'skips columns that only sort',
      `(${entry(':resno 1 :resorigtbl 16385 :resorigcol 3 :resjunk true')})`,
      [],
    ],
    [
      'parses names that look like fields or braces',
      `(${entry(':resno 1 :resname :resno :resorigtbl 16385 :resorigcol 3')} ${entry(':resno 2 :resname \\}\\ \\)\\{ :resorigtbl 16385 :resorigcol 3')} ${entry(':resno 3 :resname \\<> :resorigtbl 16385 :resorigcol 3')} ${entry(':resno 4 :resname "" :resorigtbl 16385 :resorigcol 3')})`,
      [1, 2, 3, 4].map(origin),
    ],
  ])('%s', (_, targetList, expected) => {
    expect(parseColumnOrigins(query(targetList))).toEqual(expected);
  });

  it.each([
    ['an empty text', '', 'ends unexpectedly'],
    ['a command that is not a query', '({NOTHING})', 'NOTHING where QUERY'],
    ['a tree without a list', '{QUERY}', '{ where ( was expected'],
    ['a query without columns', '({QUERY :commandType 1})', 'no target list'],
    ['a truncated tree', query(`(${entry(':resno 1')})`).slice(0, -30), 'ends unexpectedly'],
  ])('rejects %s', (_, tree, message) => {
    expect(() => parseColumnOrigins(tree)).toThrow(message);
  });
});
