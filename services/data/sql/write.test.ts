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
describe('row counts of a write', () => {
  const update = { kind: 'update', relation: 'chairs', query: 'id=lt.3', body: { name: 'x' } } as const;
  check([
    ['are omitted by default', update, { total: null, page: 2 }],
    ['are exact with count=exact', { ...update, count: 'exact' }, { total: 2, page: 2 }],
    ['are exact with count=estimated', { ...update, count: 'estimated' }, { total: 2, page: 2 }],
    ['are omitted with count=planned', { ...update, count: 'planned' }, { total: null, page: 2 }],
    ['are exact with return=representation', { ...update, ...shown, count: 'exact' }, { total: 2, page: 2 }],
    [
      'include rows that an inner join excludes from the response',
      { ...update, ...shown, query: 'select=id,makers!inner(id)&makers.id=eq.2', count: 'exact' },
      { total: 3, page: 3, body: [{ id: 3, makers: { id: 2 } }] },
    ],
    [
      'include rows if an inner join excludes all of them',
      { ...update, ...shown, query: 'select=id,makers!inner(id)&makers.id=eq.99', count: 'exact' },
      { total: 3, page: 3, body: [] },
    ],
  ]);
});

describe('a write with a single-object response', () => {
  const update: TestWrite = {
    kind: 'update',
    relation: 'chairs',
    ...shown,
    format: { kind: 'object', stripsNulls: false },
    body: { name: 'x' },
  };
  check([
    ['returns one row', { ...update, query: 'id=eq.1&select=id' }, { page: 1, body: { id: 1 } }],
    ['returns no object for two rows', { ...update, query: 'id=lt.3&select=id' }, { page: 2 }],
    ['returns no object without rows', { ...update, query: 'id=eq.9&select=id' }, { page: 0 }],
    [
      'returns no object if an inner join excludes the row',
      { ...update, query: 'id=eq.1&select=id,makers!inner(id)&makers.id=eq.2' },
      { page: 0 },
    ],
    [
      'returns no object for several rows even if an inner join leaves one',
      { ...update, query: 'select=id,makers!inner(id)&makers.id=eq.2' },
      { page: 3 },
    ],
    [
      'returns no object with return=minimal',
      { ...update, return: 'minimal', query: 'id=eq.1' },
      { page: 1, body: null },
    ],
  ]);
});

describe('return=representation', () => {
  const insert = { kind: 'insert', relation: 'chairs', ...shown } as const;
  const sofa = { id: 9, name: 'Sofa', maker_id: 1, copy_of: 2 };
  const update = { kind: 'update', relation: 'chairs', ...shown, body: { wood: 'elm' } } as const;
  check([
    [
      'returns aliases and casts',
      { ...insert, query: 'select=number:id::text,name', body: sofa },
      { body: [{ number: '9', name: 'Sofa' }] },
    ],
    [
      'returns a to-one embedding without its key',
      { ...insert, query: 'select=name,makers(name)', body: sofa },
      { body: [{ name: 'Sofa', makers: { name: 'Ada' } }] },
    ],
    [
      'returns a spread embedding within an embedding',
      { ...insert, query: 'select=id,copy_of(id,...makers(maker:name))', body: sofa },
      { body: [{ id: 9, copy_of: { id: 2, maker: 'Ada' } }] },
    ],
    [
      'filters and orders a to-many embedding, but ignores its limit',
      {
        ...update,
        query: 'id=eq.2&select=id,repairs(what)&repairs.what=like.*a*&repairs.order=id.desc&repairs.limit=1',
      },
      { body: [{ id: 2, repairs: [{ what: 'seat' }, { what: 'back' }] }] },
    ],
    [
      'applies logical operators to the embedding only',
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
      'returns a computed relationship of the whole row',
      { ...insert, query: 'select=id,siblings(id)&siblings.order=id', body: sofa },
      { body: [{ id: 9, siblings: [{ id: 1 }, { id: 2 }] }] },
    ],
    [
      'returns a computed field that other tables have, too',
      { ...insert, query: 'select=id,shout', body: sofa },
      { body: [{ id: 9, shout: 'SOFA' }] },
    ],
    [
      'returns computed fields with all columns',
      {
        ...insert,
        relation: 'makers',
        query: 'select=*,shout,first:shout->>0',
        body: { id: 9, name: 'Eve' },
      },
      { body: [{ id: 9, name: 'Eve', born: null, shout: 'EVE', first: 'EVE' }] },
    ],
    [
      'returns ordered computed fields and relationships',
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
      'orders by a column that is not selected',
      { ...update, query: 'select=id&order=name.desc' },
      { body: [{ id: 2 }, { id: 1 }, { id: 3 }] },
    ],
    [
      'orders by a column of an embedding',
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
      'returns embedded rows as they were before the write',
      { ...update, query: 'id=eq.1&select=name,copy:chairs!copy_of(name)', body: { name: 'new' } },
      { body: [{ name: 'new', copy: [{ name: 'Throne' }] }] },
    ],
    [
      'returns aggregates',
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
      'returns the legacy count without aggregates',
      { ...update, query: 'select=count' },
      { page: 3, body: [{ count: 3 }] },
    ],
    [
      'returns empty objects for an empty embedding',
      { ...update, query: 'id=eq.1&select=makers()' },
      { body: [{}] },
    ],
    [
      'returns CSV',
      { ...update, query: 'select=id,name&order=id', format: { kind: 'csv' } },
      { body: 'id,name\n1,Stool\n2,Throne\n3,Bench' },
    ],
    [
      'applies a media type handler',
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
      'omits nulls',
      { ...update, query: 'id=eq.1&select=id,price', format: { kind: 'array-stripped' } },
      { body: [{ id: 1 }] },
    ],
    [
      'returns nothing for a format without a body',
      { ...update, format: { kind: 'none' } },
      { page: 3, body: null },
    ],
  ]);
});

describe('the location of a write', () => {
  const insert = { kind: 'insert', relation: 'chairs', return: 'headers-only' } as const;
  check([
    ['contains the key of one row', { ...insert, body: { id: 9 } }, { location: '["9"]', body: null }],
    ['contains the key of one row in a list', { ...insert, body: [{ id: 9 }] }, { location: '["9"]' }],
    [
      'contains a key that is not selected',
      { ...insert, query: 'select=name', body: { id: 9 } },
      { location: '["9"]' },
    ],
    [
      'contains several columns in the order of their names',
      { ...insert, relation: 'two_keys', query: 'select=note', body: { a: 8, b: 9 } },
      { location: '["8", "9"]' },
    ],
    [
      'contains the key of a view with a trigger',
      { ...insert, relation: 'by_trigger', body: { id: 9, name: 'x' } },
      { location: '["9"]' },
    ],
    [
      'contains the key of a partitioned table',
      { ...insert, relation: 'sales', body: { id: 3, year: 2025 } },
      { location: '["3", "2025"]' },
    ],
    ['is omitted for two rows', { ...insert, body: [{ id: 9 }, { id: 10 }] }, { page: 2, location: null }],
    ['is omitted without rows', { ...insert, body: [] }, { page: 0, location: null }],
    [
      'is omitted without a key',
      { ...insert, relation: 'no_key', body: { a: 9 } },
      { page: 1, location: null },
    ],
    ['is omitted with return=representation', { ...insert, ...shown, body: { id: 9 } }, { location: null }],
    [
      'is omitted for an update',
      { ...insert, kind: 'update', query: 'id=eq.1', body: { name: 'x' } },
      { page: 1, location: null },
    ],
    [
      'is omitted for a PUT',
      { ...insert, kind: 'put', query: 'id=eq.9', body: { id: 9 } },
      { page: 1, location: null },
    ],
  ]);

  it('is parsed into names and values of the key', () => {
    const { plan } = writes.plan({ ...insert, relation: 'two_keys', body: {} });
    expect(readLocation(plan, '["8", null]')).toEqual([
      ['a', '8'],
      ['b', null],
    ]);
    expect(readLocation(plan, undefined)).toBeUndefined();
  });
});

describe('response settings of a write', () => {
  it.each<[name: string, write: Partial<TestWrite>]>([
    ['minimal', {}],
    ['representation', shown],
    ['headers-only', { return: 'headers-only' }],
    ['representation of one column', { ...shown, query: 'select=id' }],
  ])('are read after row triggers have set them: %s', async (_, write) => {
    const result = await writes.write({
      kind: 'insert',
      relation: 'answering',
      body: [{ id: 1 }, { id: 2 }],
      ...write,
    });
    expect(result.status).toBe('202');
  });
});

describe('an explained write', () => {
  it('returns the plan of the statement', async () => {
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

describe('the SQL text of a write', () => {
  it('has the columns in a fixed order and reads no rows with return=minimal', () => {
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
