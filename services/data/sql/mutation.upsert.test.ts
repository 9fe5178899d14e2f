import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkWrites, type RefusedWrite, refuseWrites, type WriteScenario } from './testing/scenarios.ts';
import { Writes } from './testing/writes.ts';

let writes: Writes;
beforeAll(async () => {
  writes = await Writes.open();
});
afterAll(() => writes.close());

function check(scenarios: readonly WriteScenario[]) {
  checkWrites(() => writes, scenarios);
}

function refuse(refusals: readonly RefusedWrite[]) {
  refuseWrites(() => writes, refusals);
}

const shown = { return: 'representation' } as const;

describe('merge-duplicates', () => {
  const merge = { kind: 'insert', relation: 'two_keys', resolution: 'merge-duplicates' } as const;
  check([
    [
      'rows that are there, and rows that are not',
      {
        ...merge,
        ...shown,
        body: [
          { a: 1, b: 1, note: 'x' },
          { a: 9, b: 9, note: 'y' },
          { a: 1, b: 2, note: 'z' },
        ],
      },
      {
        page: 3,
        inserted: 1,
        body: [
          { b: 1, a: 1, note: 'x', count: 5 },
          { b: 9, a: 9, note: 'y', count: 0 },
          { b: 2, a: 1, note: 'z', count: 6 },
        ],
      },
    ],
    ['a row that is there', { ...merge, body: { a: 1, b: 1, note: 'x' } }, { page: 1, inserted: 0 }],
    ['a row that is not there', { ...merge, body: { a: 9, b: 1, note: 'x' } }, { page: 1, inserted: 1 }],
    ['no row', { ...merge, ...shown, body: [] }, { page: 0, inserted: 0, body: [] }],
    [
      'nothing but a key',
      { ...merge, ...shown, relation: 'only_key', body: [{ id: 1 }, { id: 2 }] },
      { page: 2, inserted: 1, body: [{ id: 1 }, { id: 2 }] },
    ],
    ['a row without columns', { ...merge, relation: 'tools', body: {} }, { page: 1, inserted: 1 }],
    [
      'by columns of the parameter, also where they are no key; the key is set, too',
      {
        ...merge,
        ...shown,
        relation: 'no_key',
        query: 'on_conflict=a',
        body: [
          { a: 1, b: 'x' },
          { a: 2, b: 'y' },
        ],
      },
      {
        page: 2,
        inserted: 1,
        body: [
          { a: 1, b: 'x' },
          { a: 2, b: 'y' },
        ],
      },
    ],
    [
      'not where there is no key and no parameter',
      { ...merge, relation: 'no_key', body: [{ a: 2 }, { a: 3 }] },
      { page: 2, inserted: 2 },
    ],
    [
      'into partitions',
      {
        ...merge,
        ...shown,
        relation: 'sales',
        body: [
          { id: 1, year: 2025, price: 1 },
          { id: 2, year: 2025, price: 2 },
          { id: 1, year: 2026, price: 3 },
        ],
      },
      {
        page: 3,
        inserted: 1,
        body: [
          { id: 1, year: 2025, price: 1 },
          { id: 2, year: 2025, price: 2 },
          { id: 1, year: 2026, price: 3 },
        ],
      },
    ],
    [
      'through a view',
      {
        ...merge,
        ...shown,
        relation: 'key_view',
        query: 'select=a,b,note',
        body: [
          { a: 1, b: 1, note: 'x' },
          { a: 9, b: 9, note: 'y' },
        ],
      },
      {
        page: 2,
        inserted: 1,
        body: [
          { a: 1, b: 1, note: 'x' },
          { a: 9, b: 9, note: 'y' },
        ],
      },
    ],
    [
      'a table that is called like the rows that are new',
      {
        ...merge,
        ...shown,
        relation: 'excluded',
        body: [
          { id: 1, name: 'x' },
          { id: 2, name: 'y' },
        ],
      },
      {
        inserted: 1,
        body: [
          { id: 1, name: 'x' },
          { id: 2, name: 'y' },
        ],
      },
    ],
    [
      'with defaults where keys are absent',
      {
        ...merge,
        ...shown,
        relation: 'two_keys',
        missing: 'default',
        query: 'columns=a,b,count',
        body: [
          { a: 1, b: 1 },
          { a: 9, b: 9, count: 3 },
        ],
      },
      {
        inserted: 1,
        body: [
          { b: 1, a: 1, note: 'one', count: 0 },
          { b: 9, a: 9, note: null, count: 3 },
        ],
      },
    ],
    [
      'with a key that is made',
      {
        ...merge,
        relation: 'tools',
        missing: 'default',
        query: 'columns=id,name',
        before: "insert into studio.tools (id, name) overriding system value values (600, 'old')",
        body: [{ id: 600, name: 'new' }, { name: 'other' }],
      },
      { page: 2, inserted: 1 },
    ],
    [
      'where a trigger keeps rows from being written',
      {
        ...merge,
        relation: 'guarded',
        body: [
          { id: 1, name: 'forbidden' },
          { id: 3, name: 'forbidden' },
        ],
      },
      { page: 0, inserted: 0 },
    ],
    [
      'a setting that an earlier transaction has left is empty',
      { ...merge, before: "perform set_config('pgrst.inserted', '', true)", body: { a: 9, b: 1 } },
      { inserted: 1 },
    ],
    [
      'nothing that anybody wants to see but how many',
      {
        ...merge,
        return: 'headers-only',
        count: 'exact',
        body: [
          { a: 1, b: 1 },
          { a: 8, b: 1 },
        ],
      },
      { total: 2, inserted: 1, body: null },
    ],
    [
      'not without being asked for',
      { ...merge, resolution: undefined, query: 'on_conflict=a', body: { a: 9, b: 9 } },
      { page: 1, inserted: null },
    ],
  ]);
  refuse([
    [
      'columns without a unique index',
      { ...merge, query: 'on_conflict=note', body: { a: 1, b: 1 } },
      '42P10',
    ],
    ['a column that is not there', { ...merge, query: 'on_conflict=nothing', body: { a: 1, b: 1 } }, '42703'],
    [
      'a row twice',
      {
        ...merge,
        body: [
          { a: 1, b: 1 },
          { a: 1, b: 1 },
        ],
      },
      '21000',
    ],
    // PostgreSQL cannot detect duplicates that only a trigger defines.
    ['a view by a trigger', { ...merge, relation: 'by_trigger', body: { id: 1, name: 'x' } }, '42P10'],
    [
      'another unique index',
      { ...merge, relation: 'swatches', query: 'on_conflict=name', body: { name: 'x' } },
      '42P10',
    ],
  ]);

  it('counts anew in each transaction of a connection', async () => {
    for (const id of [21, 22]) {
      const { text, values } = writes.plan({ ...merge, relation: 'only_key', body: { id } });
      const [row] = await writes.client.query({ text, values });
      expect(row).toMatchObject({ inserted_count: '1' });
    }
    await writes.client.query({ text: 'delete from studio.only_key where id > 20' });
  });
});

describe('ignore-duplicates', () => {
  const ignore = { kind: 'insert', relation: 'two_keys', resolution: 'ignore-duplicates', ...shown } as const;
  check([
    [
      'only new rows are shown',
      {
        ...ignore,
        query: 'select=a,b,note',
        body: [
          { a: 1, b: 1, note: 'x' },
          { a: 9, b: 9, note: 'y' },
        ],
        after: 'select note from studio.two_keys where (a, b) = (1, 1)',
      },
      { page: 1, inserted: null, body: [{ a: 9, b: 9, note: 'y' }], after: 'one' },
    ],
    ['no new row', { ...ignore, body: { a: 1, b: 1 } }, { page: 0, body: [] }],
    [
      'a row twice',
      {
        ...ignore,
        query: 'select=note',
        body: [
          { a: 9, b: 1, note: 'x' },
          { a: 9, b: 1, note: 'y' },
        ],
      },
      { page: 1, body: [{ note: 'x' }] },
    ],
    [
      'by columns of the parameter',
      {
        ...ignore,
        relation: 'no_key',
        query: 'on_conflict=a',
        body: [
          { a: 1, b: 'x' },
          { a: 2, b: 'y' },
        ],
      },
      { body: [{ a: 2, b: 'y' }] },
    ],
    [
      'nothing but a key',
      { ...ignore, relation: 'only_key', body: [{ id: 1 }, { id: 2 }] },
      { body: [{ id: 2 }] },
    ],
  ]);
  refuse([
    ['where there is no key', { ...ignore, relation: 'no_key', body: { a: 1, b: 'x' } }, '23505'],
    ['of another unique index', { ...ignore, query: 'on_conflict=note', body: { a: 1, b: 1 } }, '42P10'],
  ]);
});

describe('PUT', () => {
  const put = { kind: 'put', relation: 'two_keys', ...shown } as const;
  check([
    [
      'a row that is not there',
      { ...put, query: 'a=eq.9&b=eq.1', body: { a: 9, b: 1, note: 'x' } },
      { page: 1, inserted: 1, body: [{ b: 1, a: 9, note: 'x', count: 0 }] },
    ],
    [
      'a row that is there: what is not sent is kept',
      { ...put, query: 'b=eq.1&a=eq.1', body: { a: 1, b: 1, note: 'x' } },
      { page: 1, inserted: 0, body: [{ b: 1, a: 1, note: 'x', count: 5 }] },
    ],
    [
      'nothing but a key, that is there',
      { ...put, relation: 'only_key', query: 'id=eq.1', body: { id: 1 } },
      { page: 1, inserted: 0, body: [{ id: 1 }] },
    ],
    [
      'nothing but a key, that is not there',
      { ...put, relation: 'only_key', query: 'id=eq.2', body: [{ id: 2 }] },
      { page: 1, inserted: 1, body: [{ id: 2 }] },
    ],
    [
      'another key than that of the URL',
      {
        ...put,
        query: 'a=eq.1&b=eq.2',
        body: { a: 1, b: 1, note: 'x' },
        after: "select count(*)::int from studio.two_keys where note = 'x'",
      },
      { page: 0, inserted: 0, body: [], after: 0 },
    ],
    ['half of the key', { ...put, query: 'a=eq.1&b=eq.9', body: { a: 1, b: 1 } }, { page: 0 }],
    [
      'two values for a column of the key',
      { ...put, query: 'a=eq.1&a=eq.2&b=eq.1', body: { a: 1, b: 1 } },
      { page: 0 },
    ],
    [
      'a key that is null',
      { ...put, relation: 'only_key', query: 'id=eq.1', body: { id: null } },
      { page: 0 },
    ],
    [
      'of a list, the row that the URL names',
      {
        ...put,
        query: 'a=eq.1&b=eq.2&select=note',
        body: [
          { a: 1, b: 1, note: 'x' },
          { a: 1, b: 2, note: 'y' },
          { a: 9, b: 9, note: 'z' },
        ],
        after: 'select count(*)::int from studio.two_keys',
      },
      { page: 1, inserted: 0, body: [{ note: 'y' }], after: 2 },
    ],
    [
      'through a view',
      { ...put, relation: 'key_view', query: 'a=eq.1&b=eq.1&select=note', body: { a: 1, b: 1, note: 'x' } },
      { page: 1, inserted: 0, body: [{ note: 'x' }] },
    ],
    [
      'into a partition',
      { ...put, relation: 'sales', query: 'id=eq.1&year=eq.2026', body: { id: 1, year: 2026, price: 7 } },
      { page: 1, inserted: 0, body: [{ id: 1, year: 2026, price: 7 }] },
    ],
    [
      'with embeds in what is shown, and conditions on them',
      {
        ...put,
        relation: 'repairs',
        query: 'id=eq.1&select=what,chairs(name)&chairs.name=eq.Stool',
        body: { id: 1, chair_id: 1, what: 'all' },
      },
      { page: 1, body: [{ what: 'all', chairs: { name: 'Stool' } }] },
    ],
    [
      'one object, also where an embed leaves it out',
      {
        ...put,
        relation: 'repairs',
        format: { kind: 'object', stripsNulls: false },
        query: 'id=eq.1&select=what,chairs!inner(name)&chairs.name=eq.Other',
        body: { id: 1, chair_id: 1, what: 'all' },
      },
      { page: 1, body: null },
    ],
    [
      'columns of the parameter are not looked at',
      { ...put, relation: 'only_key', query: 'id=eq.2&columns=other', body: { id: 2 } },
      { page: 1 },
    ],
    [
      'without being shown',
      { ...put, return: undefined, query: 'a=eq.1&b=eq.1', body: { a: 1, b: 1 } },
      { page: 1, inserted: 0, body: null },
    ],
    [
      'a trigger that keeps the row from being written',
      { ...put, relation: 'guarded', query: 'id=eq.1', body: { id: 1, name: 'forbidden' } },
      { page: 0 },
    ],
  ]);
  refuse([
    ['a value of another type', { ...put, query: 'a=eq.x&b=eq.1', body: { a: 1, b: 1 } }, '22P02'],
    [
      'a view by a trigger',
      { ...put, relation: 'by_trigger', query: 'id=eq.1', body: { id: 1, name: 'x' } },
      '42P10',
    ],
    [
      'a row twice',
      {
        ...put,
        query: 'a=eq.1&b=eq.1',
        body: [
          { a: 1, b: 1 },
          { a: 1, b: 1 },
        ],
      },
      '21000',
    ],
  ]);
});
