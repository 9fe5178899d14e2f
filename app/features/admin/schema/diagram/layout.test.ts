import { expect, it } from 'vitest';
import { type DiagramTable, findTables } from './diagram-tables.ts';
import { heightOf, placeTables, TABLE_WIDTH } from './layout.ts';

const table = (name: string, ...targets: string[]): DiagramTable => ({
  name,
  columns: [{ name: `${name}_id`, type: 'bigint', is_key: true }],
  links: targets.map((target) => ({
    name: `${name}_${target}`,
    columns: [`${target}_id`],
    target_schema: 'public',
    target,
    target_columns: ['id'],
  })),
});

it('places tables without overlap, also those that refer to themselves, to each other and to other schemas', () => {
  const tables = [
    table('a', 'b', 'a'),
    table('b', 'a', 'elsewhere'),
    table('c', 'a'),
    ...Array.from({ length: 12 }, (_, index) => table(`alone${index}`)),
  ];
  const places = placeTables(tables);
  const boxes = tables.map((each) => ({
    ...(places.get(each.name) ?? { x: Number.NaN, y: 0 }),
    height: heightOf(each),
  }));
  const overlaps = boxes.flatMap((one, index) =>
    boxes
      .slice(index + 1)
      .filter(
        (other) =>
          !(
            Math.abs(one.x - other.x) >= TABLE_WIDTH ||
            one.y + one.height <= other.y ||
            other.y + other.height <= one.y
          ),
      ),
  );
  expect([places.size, overlaps]).toEqual([tables.length, []]);
});

it('places no tables', () => {
  expect(placeTables([]).size).toBe(0);
});

it('finds tables by their names and columns', () => {
  const tables = [table('Notes'), table('users')];
  expect(
    ['note', 'USERS_ID', '', 'x'].map((text) => findTables(tables, text).map(({ name }) => name)),
  ).toEqual([['Notes'], ['users'], ['Notes', 'users'], []]);
});
