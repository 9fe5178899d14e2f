import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { planRead } from '../plan/read-plan.ts';
import { bind, parametersOf, slotsOf } from '../plan/slots.ts';
import { planWrite, WRITTEN } from '../plan/write-plan.ts';
import { parseQuery } from '../query/parse-query.ts';
import { readLocation } from '../respond/headers.ts';
import { keyOf } from '../schema-cache/schema-cache.ts';
import { checkWrites, type WriteScenario } from './testing/scenarios.ts';
import { type TestWrite, Writes } from './testing/writes.ts';
import { explainedWriteStatement } from './write.ts';

let writes: Writes;
beforeAll(async () => {
  writes = await Writes.open();
});
afterAll(() => writes.close());

function check(scenarios: readonly WriteScenario[]) {
  checkWrites(() => writes, scenarios);
}

const NAMES = {
  kind: 'custom',
  handler: {
    kind: 'aggregate',
    mediaType: 'text/names',
    function: { schema: 'studio', name: 'names' },
    target: { schema: 'studio', name: 'makers' },
    isBinary: false,
  },
} as const;
const shown = { return: 'representation' } as const;
describe('counts', () => {
  const update = { kind: 'update', relation: 'chairs', query: 'id=lt.3', body: { name: 'x' } } as const;
  check([
    ['not asked for', update, { total: null, page: 2 }],
    ['exact', { ...update, count: 'exact' }, { total: 2, page: 2 }],
    ['estimated', { ...update, count: 'estimated' }, { total: 2, page: 2 }],
    ['planned, which is no count of a write', { ...update, count: 'planned' }, { total: null, page: 2 }],
    ['exact, of what is shown', { ...update, ...shown, count: 'exact' }, { total: 2, page: 2 }],
    [
      'of rows that are written, also where an embed leaves them out',
      { ...update, ...shown, query: 'select=id,makers!inner(id)&makers.id=eq.2', count: 'exact' },
      { total: 3, page: 3, body: [{ id: 3, makers: { id: 2 } }] },
    ],
    [
      'of rows that are written, where nothing of them is shown',
      { ...update, ...shown, query: 'select=id,makers!inner(id)&makers.id=eq.99', count: 'exact' },
      { total: 3, page: 3, body: [] },
    ],
  ]);
});

describe('one object', () => {
  const update: TestWrite = {
    kind: 'update',
    relation: 'chairs',
    ...shown,
    format: { kind: 'object', stripsNulls: false },
    body: { name: 'x' },
  };
  check([
    ['of one row', { ...update, query: 'id=eq.1&select=id' }, { page: 1, body: { id: 1 } }],
    ['of two', { ...update, query: 'id=lt.3&select=id' }, { page: 2 }],
    ['of none', { ...update, query: 'id=eq.9&select=id' }, { page: 0 }],
    [
      'that an embed leaves out',
      { ...update, query: 'id=eq.1&select=id,makers!inner(id)&makers.id=eq.2' },
      { page: 0 },
    ],
    [
      'that an embed picks out of several that are written',
      { ...update, query: 'select=id,makers!inner(id)&makers.id=eq.2' },
      { page: 3 },
    ],
    ['that is not shown', { ...update, return: 'minimal', query: 'id=eq.1' }, { page: 1, body: null }],
  ]);
});

describe('what is shown', () => {
  const insert = { kind: 'insert', relation: 'chairs', ...shown } as const;
  const sofa = { id: 9, name: 'Sofa', maker_id: 1, copy_of: 2 };
  const update = { kind: 'update', relation: 'chairs', ...shown, body: { wood: 'elm' } } as const;
  check([
    [
      'names and types',
      { ...insert, query: 'select=number:id::text,name', body: sofa },
      { body: [{ number: '9', name: 'Sofa' }] },
    ],
    [
      'a to-one embed without its key',
      { ...insert, query: 'select=name,makers(name)', body: sofa },
      { body: [{ name: 'Sofa', makers: { name: 'Ada' } }] },
    ],
    [
      'a to-one embed, spread, in an embed',
      { ...insert, query: 'select=id,copy_of(id,...makers(maker:name))', body: sofa },
      { body: [{ id: 9, copy_of: { id: 2, maker: 'Ada' } }] },
    ],
    [
      'to-many embeds, filtered and ordered, but not limited',
      {
        ...update,
        query: 'id=eq.2&select=id,repairs(what)&repairs.what=like.*a*&repairs.order=id.desc&repairs.limit=1',
      },
      { body: [{ id: 2, repairs: [{ what: 'seat' }, { what: 'back' }] }] },
    ],
    [
      'logic of an embed is about the embed alone',
      { ...update, query: 'select=id,repairs(id)&repairs.or=(id.eq.1)&order=id' },
      {
        page: 3,
        body: [
          { id: 1, repairs: [{ id: 1 }] },
          { id: 2, repairs: [] },
          { id: 3, repairs: [] },
        ],
      },
    ],
    [
      'a computed relationship of the whole row',
      { ...insert, query: 'select=id,siblings(id)&siblings.order=id', body: sofa },
      { body: [{ id: 9, siblings: [{ id: 1 }, { id: 2 }] }] },
    ],
    [
      'computed fields that also other tables have',
      { ...insert, query: 'select=id,shout', body: sofa },
      { body: [{ id: 9, shout: 'SOFA' }] },
    ],
    [
      'computed fields besides all columns, and a path into one',
      {
        ...insert,
        relation: 'makers',
        query: 'select=*,shout,first:shout->>0',
        body: { id: 9, name: 'Eve' },
      },
      { body: [{ id: 9, name: 'Eve', born: null, shout: 'EVE', first: 'EVE' }] },
    ],
    [
      'computed fields besides computed relationships, in order',
      { ...update, query: 'select=id,shout,siblings(shout)&order=shout.desc' },
      {
        body: [
          { id: 2, shout: 'THRONE', siblings: [{ shout: 'STOOL' }] },
          { id: 1, shout: 'STOOL', siblings: [{ shout: 'THRONE' }] },
          { id: 3, shout: 'BENCH', siblings: [] },
        ],
      },
    ],
    [
      'in order of a column that is not shown',
      { ...update, query: 'select=id&order=name.desc' },
      { body: [{ id: 2 }, { id: 1 }, { id: 3 }] },
    ],
    [
      'in order of an embed',
      { ...update, query: 'select=id,makers(id)&order=makers(name).desc,id.desc' },
      {
        body: [
          { id: 3, makers: { id: 2 } },
          { id: 2, makers: { id: 1 } },
          { id: 1, makers: { id: 1 } },
        ],
      },
    ],
    [
      'other tables as they were before',
      { ...update, query: 'id=eq.1&select=name,copy:chairs!copy_of(name)', body: { name: 'new' } },
      { body: [{ name: 'new', copy: [{ name: 'Throne' }] }] },
    ],
    [
      'the number of rows',
      { ...update, query: 'select=maker_id,count()&order=maker_id', allowsAggregates: true },
      {
        page: 3,
        body: [
          { maker_id: 1, count: 2 },
          { maker_id: 2, count: 1 },
        ],
      },
    ],
    [
      'the number of rows, without aggregates',
      { ...update, query: 'select=count' },
      { page: 3, body: [{ count: 3 }] },
    ],
    ['nothing but an embed', { ...update, query: 'id=eq.1&select=makers()' }, { body: [{}] }],
    [
      'as CSV',
      { ...update, query: 'select=id,name&order=id', format: { kind: 'csv' } },
      { body: 'id,name\n1,Stool\n2,Throne\n3,Bench' },
    ],
    [
      'by a handler of the relation',
      {
        ...insert,
        relation: 'makers',
        format: NAMES,
        body: [
          { id: 8, name: 'Eve' },
          { id: 9, name: 'Fay' },
        ],
      },
      { page: 2, body: 'Eve+Fay' },
    ],
    [
      'without nulls',
      { ...update, query: 'id=eq.1&select=id,price', format: { kind: 'array-stripped' } },
      { body: [{ id: 1 }] },
    ],
    [
      'nothing, with a format that makes nothing',
      { ...update, format: { kind: 'none' } },
      { page: 3, body: null },
    ],
  ]);
});

describe('location', () => {
  const insert = { kind: 'insert', relation: 'chairs', return: 'headers-only' } as const;
  check([
    ['of one row', { ...insert, body: { id: 9 } }, { location: '["9"]', body: null }],
    ['of one row in a list', { ...insert, body: [{ id: 9 }] }, { location: '["9"]' }],
    [
      'without the key in select',
      { ...insert, query: 'select=name', body: { id: 9 } },
      { location: '["9"]' },
    ],
    [
      'of several columns, in the order of their names',
      { ...insert, relation: 'two_keys', query: 'select=note', body: { a: 8, b: 9 } },
      { location: '["8", "9"]' },
    ],
    [
      'of a view by a trigger',
      { ...insert, relation: 'by_trigger', body: { id: 9, name: 'x' } },
      { location: '["9"]' },
    ],
    [
      'of a partition',
      { ...insert, relation: 'sales', body: { id: 3, year: 2025 } },
      { location: '["3", "2025"]' },
    ],
    ['of two rows', { ...insert, body: [{ id: 9 }, { id: 10 }] }, { page: 2, location: null }],
    ['of no row', { ...insert, body: [] }, { page: 0, location: null }],
    ['without a key', { ...insert, relation: 'no_key', body: { a: 9 } }, { page: 1, location: null }],
    ['of what is shown', { ...insert, ...shown, body: { id: 9 } }, { location: null }],
    [
      'of an update',
      { ...insert, kind: 'update', query: 'id=eq.1', body: { name: 'x' } },
      { page: 1, location: null },
    ],
    ['of a PUT', { ...insert, kind: 'put', query: 'id=eq.9', body: { id: 9 } }, { page: 1, location: null }],
  ]);

  it('is read by the names of the key', () => {
    const { plan } = writes.plan({ ...insert, relation: 'two_keys', body: {} });
    expect(readLocation(plan, '["8", null]')).toEqual([
      ['a', '8'],
      ['b', null],
    ]);
    expect(readLocation(plan, undefined)).toBeUndefined();
  });
});

describe('settings', () => {
  it.each<[name: string, write: Partial<TestWrite>]>([
    ['minimal', {}],
    ['representation', shown],
    ['headers-only', { return: 'headers-only' }],
    ['nothing is shown of it', { ...shown, query: 'select=id' }],
  ])('are read after triggers before each row have set them: %s', async (_, write) => {
    const answer = await writes.write({
      kind: 'insert',
      relation: 'answering',
      body: [{ id: 1 }, { id: 2 }],
      ...write,
    });
    expect(answer.status).toBe('202');
  });
});

describe('explaining', () => {
  it('gives the plan of the statement', async () => {
    const relation = writes.cache.relations.get(keyOf({ schema: 'studio', name: 'chairs' }));
    if (relation === undefined) throw new Error('no relation');
    const query = parseQuery('select=id,makers(name)&id=eq.1');
    const slots = slotsOf(query);
    const node = planRead(query, writes.cache, { relation, cte: WRITTEN }, { slots, isWrite: true });
    const preferences = { resolution: undefined, missing: undefined, return: 'representation' } as const;
    const plan = planWrite(
      { kind: 'delete', relation, query, body: undefined, preferences },
      writes.cache,
      slots,
    );
    const explain = { format: 'json', options: ['verbose'] } as const;
    const { text, slots: used } = explainedWriteStatement(plan, node, { format: { kind: 'json' } }, explain);
    const [row] = await writes.client.query({ text, values: bind(used, parametersOf(query)) });
    expect(JSON.stringify(row)).toContain('"Operation":"Delete"');
  });
});

describe('text', () => {
  it('has the columns in their fixed order, and needs nothing of the rows where nothing is shown', () => {
    const write = { kind: 'update', relation: 'chairs', query: 'id=eq.1', body: { name: 'x' } } as const;
    const { text, slots } = writes.plan(write);
    expect({ text, slots }).toEqual({
      text:
        'with "pgrst_written" as (update "studio"."chairs" as "chairs" set "name" = "pgrst_body"."name" ' +
        'from (select "given"."name" as "name" from json_to_record($1::json) as "given"("name" text)) as "pgrst_body" ' +
        'where ("chairs"."id" = $2) returning 1) ' +
        'select null::bigint as total_count, "written"."rows" as page_count, null::bigint as inserted_count, ' +
        'null::text as location, ' +
        "nullif(current_setting('response.headers', true), '') as response_headers, " +
        "nullif(current_setting('response.status', true), '') as response_status, " +
        'null::text as body from (select count(*) as "rows" from "pgrst_written") as "written"',
      slots: [3, 0],
    });
  });
});
