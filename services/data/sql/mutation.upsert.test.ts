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
      'updates existing rows and inserts new ones',
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
    [
      'counts no insert for an existing row',
      { ...merge, body: { a: 1, b: 1, note: 'x' } },
      { page: 1, inserted: 0 },
    ],
    [
      'counts one insert for a new row',
      { ...merge, body: { a: 9, b: 1, note: 'x' } },
      { page: 1, inserted: 1 },
    ],
    ['accepts an empty list', { ...merge, ...shown, body: [] }, { page: 0, inserted: 0, body: [] }],
    [
      'supports a table with key columns only',
      { ...merge, ...shown, relation: 'only_key', body: [{ id: 1 }, { id: 2 }] },
      { page: 2, inserted: 1, body: [{ id: 1 }, { id: 2 }] },
    ],
    ['inserts a row without columns', { ...merge, relation: 'tools', body: {} }, { page: 1, inserted: 1 }],
    [
      'uses the columns of on_conflict and sets them, too',
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
      'inserts without a key and without on_conflict',
      { ...merge, relation: 'no_key', body: [{ a: 2 }, { a: 3 }] },
      { page: 2, inserted: 2 },
    ],
    [
      'updates and inserts rows of partitions',
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
      'updates and inserts rows through a view',
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
      'supports a table named excluded',
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
      'uses defaults for absent keys with missing=default',
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
      'generates an absent key',
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
      'counts no row that a trigger suppresses',
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
      'counts correctly with an empty setting of an earlier transaction',
      { ...merge, before: "perform set_config('pgrst.inserted', '', true)", body: { a: 9, b: 1 } },
      { inserted: 1 },
    ],
    [
      'counts rows and inserts with return=headers-only',
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
      'is ignored without a resolution',
      { ...merge, resolution: undefined, query: 'on_conflict=a', body: { a: 9, b: 9 } },
      { page: 1, inserted: null },
    ],
  ]);
  refuse([
    [
      'on_conflict without a unique index',
      { ...merge, query: 'on_conflict=note', body: { a: 1, b: 1 } },
      '42P10',
    ],
    [
      'an unknown column in on_conflict',
      { ...merge, query: 'on_conflict=nothing', body: { a: 1, b: 1 } },
      '42703',
    ],
    [
      'the same row twice',
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
    ['a view with a trigger', { ...merge, relation: 'by_trigger', body: { id: 1, name: 'x' } }, '42P10'],
    [
      'a row that violates another unique index',
      { ...merge, relation: 'swatches', query: 'on_conflict=name', body: { name: 'x' } },
      '42P10',
    ],
  ]);

  it('restarts the count in each transaction of a connection', async () => {
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
      'returns only new rows',
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
    ['returns nothing if no row is new', { ...ignore, body: { a: 1, b: 1 } }, { page: 0, body: [] }],
    [
      'inserts the first of two equal rows',
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
      'uses the columns of on_conflict',
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
      'supports a table with key columns only',
      { ...ignore, relation: 'only_key', body: [{ id: 1 }, { id: 2 }] },
      { body: [{ id: 2 }] },
    ],
  ]);
  refuse([
    ['a duplicate without a key', { ...ignore, relation: 'no_key', body: { a: 1, b: 'x' } }, '23505'],
    [
      'on_conflict without a unique index',
      { ...ignore, query: 'on_conflict=note', body: { a: 1, b: 1 } },
      '42P10',
    ],
  ]);
});

describe('PUT', () => {
  const put = { kind: 'put', relation: 'two_keys', ...shown } as const;
  check([
    [
      'inserts a new row',
      { ...put, query: 'a=eq.9&b=eq.1', body: { a: 9, b: 1, note: 'x' } },
      { page: 1, inserted: 1, body: [{ b: 1, a: 9, note: 'x', count: 0 }] },
    ],
    [
      'updates an existing row and keeps absent columns',
      { ...put, query: 'b=eq.1&a=eq.1', body: { a: 1, b: 1, note: 'x' } },
      { page: 1, inserted: 0, body: [{ b: 1, a: 1, note: 'x', count: 5 }] },
    ],
    [
      'updates a row of a table with key columns only',
      { ...put, relation: 'only_key', query: 'id=eq.1', body: { id: 1 } },
      { page: 1, inserted: 0, body: [{ id: 1 }] },
    ],
    [
      'inserts a row into a table with key columns only',
      { ...put, relation: 'only_key', query: 'id=eq.2', body: [{ id: 2 }] },
      { page: 1, inserted: 1, body: [{ id: 2 }] },
    ],
    [
      'writes nothing for another key than in the URL',
      {
        ...put,
        query: 'a=eq.1&b=eq.2',
        body: { a: 1, b: 1, note: 'x' },
        after: "select count(*)::int from studio.two_keys where note = 'x'",
      },
      { page: 0, inserted: 0, body: [], after: 0 },
    ],
    [
      'writes nothing for a partly different key',
      { ...put, query: 'a=eq.1&b=eq.9', body: { a: 1, b: 1 } },
      { page: 0 },
    ],
    [
      'writes nothing for two values of a key column',
      { ...put, query: 'a=eq.1&a=eq.2&b=eq.1', body: { a: 1, b: 1 } },
      { page: 0 },
    ],
    [
      'writes nothing for a null key',
      { ...put, relation: 'only_key', query: 'id=eq.1', body: { id: null } },
      { page: 0 },
    ],
    [
      'writes the row of a list that the URL names',
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
      'updates a row through a view',
      { ...put, relation: 'key_view', query: 'a=eq.1&b=eq.1&select=note', body: { a: 1, b: 1, note: 'x' } },
      { page: 1, inserted: 0, body: [{ note: 'x' }] },
    ],
    [
      'updates a row of a partition',
      { ...put, relation: 'sales', query: 'id=eq.1&year=eq.2026', body: { id: 1, year: 2026, price: 7 } },
      { page: 1, inserted: 0, body: [{ id: 1, year: 2026, price: 7 }] },
    ],
    [
      'returns filtered embedded rows',
      {
        ...put,
        relation: 'repairs',
        query: 'id=eq.1&select=what,chairs(name)&chairs.name=eq.Stool',
        body: { id: 1, chair_id: 1, what: 'all' },
      },
      { page: 1, body: [{ what: 'all', chairs: { name: 'Stool' } }] },
    ],
    [
      'returns no object if an inner join excludes the row',
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
      'ignores the parameter columns',
      { ...put, relation: 'only_key', query: 'id=eq.2&columns=other', body: { id: 2 } },
      { page: 1 },
    ],
    [
      'returns nothing without representation',
      { ...put, return: undefined, query: 'a=eq.1&b=eq.1', body: { a: 1, b: 1 } },
      { page: 1, inserted: 0, body: null },
    ],
    [
      'writes nothing if a trigger suppresses the row',
      { ...put, relation: 'guarded', query: 'id=eq.1', body: { id: 1, name: 'forbidden' } },
      { page: 0 },
    ],
  ]);
  refuse([
    ['a value of another type', { ...put, query: 'a=eq.x&b=eq.1', body: { a: 1, b: 1 } }, '22P02'],
    [
      'a view with a trigger',
      { ...put, relation: 'by_trigger', query: 'id=eq.1', body: { id: 1, name: 'x' } },
      '42P10',
    ],
    [
      'the same row twice',
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
