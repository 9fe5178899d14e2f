/** The SQL of the section “Tables” of the admin area, on a database. */
import {
  deleteStatement,
  findTable,
  importStatement,
  insertStatement,
  orderColumns,
  type RowsRequest,
  type RowVersion,
  rowsStatement,
  type Statement,
  type StoredRow,
  type TableInfo,
  toGridRow,
  undoDelete,
  undoImport,
  undoInsert,
  undoUpdate,
  updateStatement,
} from '@greenroom/app/admin-tables';
import { openRawPool, type RawPool, runLimited } from '@greenroom/postgres';
import { createTestDatabase, type TestDatabase } from '@greenroom/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let database: TestDatabase;
let pool: RawPool;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = openRawPool({ url: database.url, max: 2, applicationName: 'test' });
  await database.run(`
    create schema "Odd ""schema";
    create type mood as enum ('low', 'high');
    create table "Odd ""schema"."Odd ""table" (
      "k 1" int, k2 text, number numeric, small smallint, "a""b" text, at timestamptz, mood mood, ok boolean, double float8,
      primary key ("k 1", k2)
    );
    insert into "Odd ""schema"."Odd ""table"
      select n % 17, 'key ' || n, nullif(n % 7, 3)::numeric / 3, nullif(n % 5, 1), nullif(repeat('x', n % 4), 'xx'),
        case when n % 6 > 0 then timestamptz '2026-01-01 00:00:00.123456+00' + (n % 11) * interval '1 hour' end,
        case n % 3 when 0 then 'low'::mood when 1 then 'high' end, nullif(n % 2 = 0, n % 4 = 0),
        case n % 5 when 0 then 'NaN' when 1 then 'Infinity' when 2 then null else n::float8 / 7 end
      from generate_series(1, 157) n;
    create table long (id int primary key, text text);
    insert into long select n, repeat(chr(64 + n), 3000) || n from generate_series(1, 20) n;
    create table changed (id int primary key, text text, data jsonb, file bytea, tags text[], big numeric, doubled numeric generated always as (big * 2) stored);
    create table parts (id int primary key, value text) partition by range (id);
    create table parts_1 partition of parts for values from (0) to (100);
    create table cut (id int primary key, code varchar(3), fixed char(3));
    create table identified (id int generated always as identity primary key, value text);
  `);
});
afterAll(async () => {
  await pool.close();
  await database.drop();
});

async function run({ text, values }: Statement): Promise<(string | null)[][]> {
  const { rows } = await pool.use((client) =>
    runLimited(client, { text, values, maxRows: 10_000, maxBytes: 100_000_000 }),
  );
  return rows as (string | null)[][];
}

const runSql = (text: string) => run({ text, values: [] });

async function tableOf(schema: string, name: string): Promise<TableInfo> {
  const rows = <Row>(text: string, values: readonly (string | null)[] = []) =>
    database.admin.query<Row>({ text, values: [...values] });
  const table = await findTable({ rows } as unknown as Parameters<typeof findTable>[0], schema, name);
  if (!table) throw new Error(`${schema}.${name} does not exist`);
  return table;
}

/** Reads all rows page by page, and returns their keys. */
async function readAll(
  table: TableInfo,
  request: Omit<RowsRequest, 'from'>,
  side: 'after' | 'before',
  start?: readonly (string | null)[],
): Promise<string[]> {
  const names = orderColumns(table, request.sort).map(({ name }) => name);
  const keys: string[] = [];
  for (let position = start; ; ) {
    const from = position && { side, position };
    const found = await run(rowsStatement(table, { ...request, from }));
    const rows = found.map((values) => toGridRow(table, names, values));
    keys.push(...rows.map(({ key }) => JSON.stringify(key)));
    if (rows.length < request.limit) return keys;
    position = rows.at(-1)?.position;
  }
}

describe('paging by position', () => {
  it('returns every row once in the order of PostgreSQL, for any sort, direction and page size', async () => {
    const table = await tableOf('Odd "schema', 'Odd "table');
    expect(table.key).toEqual(['k 1', 'k2']);
    const column = fc.option(fc.constantFrom(...table.columns.map(({ name }) => name)), { nil: undefined });
    await fc.assert(
      fc.asyncProperty(
        column,
        fc.boolean(),
        fc.integer({ min: 1, max: 60 }),
        async (name, isDescending, limit) => {
          const sort = name === undefined ? undefined : { column: name, isDescending };
          const direction = sort?.isDescending ? ' desc' : '';
          const order = orderColumns(table, sort).map(
            (each) => `"${each.name.replaceAll('"', '""')}"${direction}`,
          );
          const expected = await runSql(
            `select json_build_array("k 1"::text, k2)::text from "Odd ""schema"."Odd ""table" order by ${order.join(', ')}`,
          );
          const keys = expected.map(([key]) => JSON.stringify(JSON.parse(key ?? '')));
          expect(await readAll(table, { filters: [], sort, limit }, 'after')).toEqual(keys);
          const names = orderColumns(table, sort).map((each) => each.name);
          const all = await run(rowsStatement(table, { filters: [], sort, limit: 1000 }));
          const last = all.map((values) => toGridRow(table, names, values)).at(-1);
          const back = await readAll(table, { filters: [], sort, limit }, 'before', last?.position);
          expect(back).toEqual(keys.slice(0, -1).toReversed());
        },
      ),
      { numRuns: 25 },
    );
  });

  it('returns every row once if the values of the sorted column are too long for a position', async () => {
    const table = await tableOf('public', 'long');
    const request = { filters: [], sort: { column: 'text', isDescending: true }, limit: 3 };
    const ids = Array.from({ length: 20 }, (_, index) => JSON.stringify([String(20 - index)]));
    expect(await readAll(table, request, 'after')).toEqual(ids);
  });

  it('treats every text of a filter as a value', async () => {
    const table = await tableOf('Odd "schema', 'Odd "table');
    await fc.assert(
      fc.asyncProperty(
        fc.string().filter((text) => !text.includes('\0')),
        async (value) => {
          const filters = [{ column: 'a"b', operator: 'eq' as const, value }];
          const found = await run(rowsStatement(table, { filters, sort: undefined, limit: 1000 }));
          const [count] = await run({
            text: 'select count(*)::text from "Odd ""schema"."Odd ""table" where "a""b" = $1::text',
            values: [value],
          });
          expect(found).toHaveLength(Number(count?.[0]));
        },
      ),
      { numRuns: 30 },
    );
  });
});

/** Splits the row of `returning` in its version and its values. */
function stored(
  table: TableInfo,
  [xmin, ...values]: (string | null)[],
): { version: RowVersion; row: StoredRow } {
  const row = Object.fromEntries(table.columns.map(({ name }, index) => [name, values[index] ?? null]));
  return { row, version: { xmin: xmin ?? '', key: table.key.map((name) => row[name] ?? '') } };
}

const text = fc.string({ unit: 'grapheme' }).filter((value) => !value.includes('\0'));
const nullable = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
/** Values in PostgreSQL's text form. */
const values = fc.record({
  text: nullable(text),
  data: nullable(fc.json().filter((value) => !value.includes('\\u0000'))),
  file: nullable(fc.uint8Array().map((bytes) => `\\x${Buffer.from(bytes).toString('hex')}`)),
  tags: nullable(
    fc.array(text).map((all) => `{${all.map((each) => `"${each.replace(/["\\]/g, '\\$&')}"`).join(',')}}`),
  ),
  big: nullable(fc.bigInt().map(String)),
});

describe('changes', () => {
  it('are undone exactly: inserted, changed and deleted rows of any values', async () => {
    const table = await tableOf('public', 'changed');
    await fc.assert(
      fc.asyncProperty(values, values, async (first, second) => {
        await runSql('truncate changed');
        const [inserted = []] = await run(insertStatement(table, { id: '1', ...first }));
        const before = stored(table, inserted);
        const [updated = []] = await run(updateStatement(table, before.version, second));
        const after = stored(table, updated);
        const changed = Object.fromEntries(
          Object.keys(second).map((name) => [name, before.row[name] ?? null]),
        );
        await runSql(undoUpdate(table, changed, after.version));
        const [[version] = []] = await runSql('select xmin::text from changed');
        const [deleted = []] = await run(deleteStatement(table, [{ key: ['1'], xmin: version ?? '' }]));
        expect(stored(table, deleted).row).toEqual(before.row);
        await runSql(undoDelete(table, [stored(table, deleted).row]));
        const [restored = []] = await runSql('select xmin, * from changed');
        expect(restored.slice(1)).toEqual(deleted.slice(1));
        const version2 = { key: ['1'], xmin: restored[0] ?? '' };
        await runSql(undoInsert(table, version2));
        expect(await runSql('select from changed')).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });

  it.each(['changed', 'parts'])('of a row of %s that was changed meanwhile change nothing', async (name) => {
    const table = await tableOf('public', name);
    const column = name === 'parts' ? 'value' : 'text';
    await runSql(`delete from ${name}`);
    const [inserted = []] = await run(insertStatement(table, { id: '7', [column]: 'mine' }));
    const [[xmin] = []] = await runSql(`select xmin::text from ${name}`);
    const version = { ...stored(table, inserted).version, xmin: xmin ?? '' };
    await runSql(`update ${name} set ${column} = 'theirs'`);
    expect(await run(updateStatement(table, version, { [column]: 'overwritten' }))).toEqual([]);
    expect(await run(deleteStatement(table, [version]))).toEqual([]);
    await runSql(undoInsert(table, version));
    expect(await runSql(`select ${column} from ${name}`)).toEqual([['theirs']]);
  });

  it('reject a value that is too long instead of cutting it', async () => {
    const table = await tableOf('public', 'cut');
    await expect(run(insertStatement(table, { id: '1', code: 'four' }))).rejects.toThrow('value too long');
    await expect(run(insertStatement(table, { id: '1', fixed: 'four' }))).rejects.toThrow('value too long');
  });

  it('import rows in their order with the values of identity columns, and are undone', async () => {
    const table = await tableOf('public', 'identified');
    const rows = [
      ['5', 'a"b\\c'],
      ['6', null],
      ['7', ''],
    ];
    const [[transaction, count] = []] = await run(importStatement(table, ['id', 'value'], rows));
    expect(count).toBe('3');
    expect(await runSql('select id::text, value from identified')).toEqual(rows);
    await runSql(`update identified set value = 'kept' where id = 6`);
    await runSql(undoImport(table, [transaction ?? '']));
    expect(await runSql('select id::text, value from identified')).toEqual([['6', 'kept']]);
  });
});
