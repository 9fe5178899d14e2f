import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkWrites, type RefusedWrite, refuseWrites, type WriteScenario } from './testing/scenarios.ts';
import { type TestWrite, Writes } from './testing/writes.ts';

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
describe('values of a JSON body', () => {
  it.each<[column: string, json: string, text: string | null, shown?: unknown]>([
    ['big', '9007199254740993', '9007199254740993'],
    ['big', '"9007199254740993"', '9007199254740993'],
    ['exact', '12345678901234567890.123456789012345678901', '12345678901234567890.123456789012345678901'],
    ['exact', '1e400', `1${'0'.repeat(400)}`],
    ['price', '1.005', '1.01'],
    ['name', '1.50', '1.50'],
    ['name', 'true', 'true'],
    ['name', '{"a":  1}', '{"a":  1}'],
    ['name', 'null', null],
    ['tags', '["a", "b,c", null, "\\""]', '{a,"b,c",NULL,"\\""}'],
    ['tags', '"{x,y}"', '{x,y}'],
    ['facts', '{"b": 1, "a": [null]}', '{"a": [null], "b": 1}', { a: [null], b: 1 }],
    ['notes', '{"b":  1, "b": 2}', '{"b":  1, "b": 2}'],
    ['notes', 'null', null],
    ['bytes', '"\\\\x00ff"', '\\x00ff'],
    ['wood', '"elm"', 'elm'],
    ['size', '{"width": 1, "height": 2}', '(1,2)', { width: 1, height: 2 }],
    ['during', '"[1,5)"', '[1,5)'],
    ['code', '"ab"', 'ab'],
    ['flags', '"1010"', '1010'],
    ['made', '"2020-02-29T12:00:00Z"', '2020-02-29 12:00:00+00'],
  ])('store in the column %s the JSON %s as %j', async (column, json, text, value) => {
    const write: TestWrite = {
      kind: 'insert',
      relation: 'chairs',
      ...shown,
      before: "set local timezone = 'UTC'",
      body: `{"id": 9, "${column}": ${json}}`,
    };
    const one = await writes.write({ ...write, query: `select=value:${column}::text` });
    expect(one.body).toEqual([{ value: text }]);
    if (value === undefined) return;
    expect((await writes.write({ ...write, query: `select=${column}` })).body).toEqual([{ [column]: value }]);
  });

  const paint = { kind: 'insert', relation: 'paints', ...shown } as const;
  check([
    [
      'use types with quotes in their names',
      {
        kind: 'insert',
        relation: 'odd_types',
        ...shown,
        missing: 'default',
        query: 'columns=id,kind,kinds',
        body: [
          { id: 1, kinds: ['a', 'b'] },
          { id: 2, kind: 'b' },
        ],
      },
      {
        body: [
          { id: 1, kind: 'a', kinds: ['a', 'b'] },
          { id: 2, kind: 'b', kinds: null },
        ],
      },
    ],
    [
      'use the domain representation of an insert',
      { ...paint, body: [{ id: 9, colour: '#0000ff', other: null }] },
      { body: [{ id: 9, colour: '#0000ff', other: null }] },
    ],
    [
      'use the domain representation in a filter',
      {
        kind: 'update',
        relation: 'swatches',
        ...shown,
        query: 'colour=eq.%230000ff&select=colour',
        body: { colour: '#00ff00' },
      },
      { body: [{ colour: '#00ff00' }] },
    ],
    [
      'use the domain representation in a key',
      {
        kind: 'put',
        relation: 'swatches',
        ...shown,
        query: 'colour=eq.%230000ff',
        body: [
          { colour: '#00ff00', name: 'green' },
          { colour: '#0000ff', name: 'deep' },
        ],
      },
      { page: 1, inserted: 0, body: [{ colour: '#0000ff', name: 'deep' }] },
    ],
  ]);
});

describe('missing=default', () => {
  const tool = { kind: 'insert', relation: 'tools', ...shown, missing: 'default' } as const;
  const columns = 'columns=name,owner,grade,fixed,nothing&select=name,owner,grade,fixed,nothing';
  check([
    [
      'applies to absent keys, but not to null',
      { ...tool, query: columns, body: [{}, { name: null, grade: 1, fixed: 2, owner: 'x', nothing: 3 }] },
      {
        body: [
          { name: 'hammer', owner: 'supabase_admin', grade: 3, fixed: 7, nothing: null },
          { name: null, owner: 'x', grade: 1, fixed: 2, nothing: 3 },
        ],
      },
    ],
    [
      'applies to one object',
      { ...tool, query: columns, body: { name: 'saw' } },
      { body: [{ name: 'saw', owner: 'supabase_admin', grade: 3, fixed: 7, nothing: null }] },
    ],
    [
      'takes a sequence value for every object',
      {
        ...tool,
        query: 'columns=serial&select=serial',
        before: "perform setval('studio.numbers', 50)",
        body: [{ serial: 1 }, {}, { serial: null }],
        after: "select nextval('studio.numbers')::int",
      },
      { body: [{ serial: 1 }, { serial: 52 }, { serial: null }], after: 54 },
    ],
    [
      'generates identity values',
      {
        ...tool,
        query: 'columns=id,name&select=id',
        before: "perform setval('studio.tools_id_seq', 70)",
        body: [{ name: 'a' }, { id: 5, name: 'b' }],
      },
      { body: [{ id: 71 }, { id: 5 }] },
    ],
    [
      'uses the default of a view',
      { ...tool, relation: 'key_view', query: 'columns=a,b,note,count', body: [{ a: 5, b: 5, count: 1 }] },
      { body: [{ b: 5, a: 5, note: 'from the view', count: 1 }] },
    ],
    [
      'inserts nothing for an empty list',
      { ...tool, query: 'columns=name', body: [] },
      { page: 0, body: [] },
    ],
    [
      'uses null for columns without a default',
      { ...tool, relation: 'makers', query: 'columns=id,name,born', body: [{ id: 9, name: 'Eve' }] },
      { body: [{ id: 9, name: 'Eve', born: null }] },
    ],
    [
      'supports a default with quotes and backslashes',
      { ...tool, relation: 'odd "name\' \\', query: 'columns=id,"it\'s \\\\ \\"odd\\""', body: [{ id: 1 }] },
      { body: [{ id: 1, 'it\'s \\ "odd"': "a\\b'c", $1: null }] },
    ],
    [
      'uses defaults of domains that are not null',
      {
        ...tool,
        relation: 'parcels',
        query: 'columns=id,label,other',
        body: [{ id: 1 }, { id: 2, label: 'x', other: 'y' }],
      },
      {
        body: [
          { id: 1, label: 'none', other: 'some' },
          { id: 2, label: 'x', other: 'y' },
        ],
      },
    ],
    [
      'supports columns of domain types only',
      { ...tool, query: 'columns=grade&select=grade', body: [{ grade: 2 }, {}] },
      { body: [{ grade: 2 }, { grade: 3 }] },
    ],
    [
      'applies to an update',
      {
        kind: 'update',
        relation: 'two_keys',
        ...shown,
        missing: 'default',
        query: 'columns=note,count&select=note,count&b=eq.1',
        body: { note: 'new' },
      },
      { body: [{ note: 'new', count: 0 }] },
    ],
  ]);
  refuse([
    [
      'null for a domain that is not null',
      { ...tool, relation: 'parcels', query: 'columns=id,label', body: [{ id: 1, label: null }] },
      '23502',
    ],
    [
      'a text that is too long for a domain',
      { ...tool, relation: 'parcels', query: 'columns=id,label', body: { id: 1, label: 'much too long' } },
      '22001',
    ],
    [
      'a missing key that is always generated',
      { ...tool, relation: 'always', query: 'columns=id,name', body: [{ name: 'x' }] },
      '428C9',
    ],
  ]);
});

it('casts a default like a plain insert', async () => {
  const { body, after } = await writes.write({
    kind: 'insert',
    relation: 'tools',
    ...shown,
    missing: 'default',
    before: "set local timezone = 'Asia/Tokyo'",
    query: 'columns=at&select=at',
    after: 'select now()::timestamp',
  });
  expect(body).toEqual([{ at: expect.any(String) }]);
  expect(after).toEqual(new Date((body as [{ at: string }])[0].at));
});
