import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { planRead } from '../plan/read-plan.ts';
import { bind, parametersOf } from '../plan/slots.ts';
import { parseQuery } from '../query/parse-query.ts';
import { sql } from './sql.ts';
import { explainedReadStatement, plannedCountStatement, readStatement } from './statement.ts';
import { Reads, type TestRead } from './testing/reads.ts';

let reads: Reads;
beforeAll(async () => {
  reads = await Reads.open();
});
afterAll(() => reads.close());

describe('row counts of a read', () => {
  it.each<[query: string, read: TestRead, total: string | null, page: string]>([
    ['', {}, null, '4'],
    ['', { count: 'exact' }, '4', '4'],
    ['', { count: 'exact', rootLimit: 2 }, '4', '2'],
    ['', { count: 'exact', rootOffset: 3 }, '4', '1'],
    ['', { count: 'exact', rootLimit: 0 }, '4', '0'],
    ['', { count: 'exact', maxRows: 3 }, '4', '3'],
    ['', { count: 'estimated', maxRows: 2 }, '3', '2'],
    ['', { count: 'estimated', rootLimit: 1 }, '4', '1'],
    ['', { count: 'planned', rootLimit: 1 }, null, '1'],
    ['id=gt.1&or=(year.is.null,year.lt.2000)', { count: 'exact', rootLimit: 1 }, '2', '1'],
    ['select=id,directors!inner(id)', { count: 'exact', rootLimit: 1 }, '3', '1'],
    ['select=id,directors!inner()&directors.id=eq.1', { count: 'exact', rootLimit: 1 }, '2', '1'],
    ['select=id,directors()&directors=is.null', { count: 'exact', rootLimit: 1 }, '1', '1'],
    ['select=id,actors!inner(id)&actors.name=eq.Yuri', { count: 'exact', rootLimit: 1 }, '2', '1'],
    ['select=id,rivals!inner(id)&rivals.id=eq.3', { count: 'exact', rootLimit: 1 }, '3', '1'],
  ])('of %s with %j are %s in total and %s on the page', async (query, read, total, page) => {
    const response = await reads.read(query, read);
    expect([response.total_count, response.page_count]).toEqual([total, page]);
  });

  it.each<[query: string, read: TestRead, runs: boolean]>([
    ['id=lt.3', { rootLimit: 3 }, false],
    ['id=lt.3', { rootLimit: 3, rootOffset: 1 }, false],
    ['id=lt.3', { rootOffset: 1 }, false],
    ['id=lt.3', { maxRows: 3 }, false],
    ['id=lt.3', { rootLimit: 5, maxRows: 3, count: 'estimated' }, false],
    ['select=id,actors!inner(id)&actors.name=eq.Yuri', { rootLimit: 3 }, false],
    ['id=lt.3', { rootLimit: 3, format: { kind: 'none' } }, false],
    ['id=lt.3', { rootLimit: 2 }, true],
    ['id=lt.3', { rootLimit: 3, rootOffset: 2 }, true],
    ['id=lt.3', { rootLimit: 5, maxRows: 2 }, true],
    ['select=id,shout&id=lt.3', { rootLimit: 3 }, true],
    ['select=id,actors!inner(id)&actors.limit=1', { rootLimit: 3 }, true],
  ])('of %s with %j run a separate query: %s', async (query, read, runs) => {
    const { text, values } = reads.plan(parseQuery(query), { count: 'exact', ...read });
    const lines = await reads.client.query<{ 'QUERY PLAN': string }>({
      text: `explain (analyze, costs off, timing off) ${text}`,
      values,
    });
    const plan = lines.map((line) => line['QUERY PLAN']);
    const at = plan.findIndex((line) => line.trim().startsWith('InitPlan'));
    expect(plan.join('\n')).toContain('InitPlan');
    expect(plan[at + 1]?.includes('never executed')).toBe(!runs);
  });

  it('are returned without a body', async () => {
    const response = await reads.read('select=id', { count: 'exact', format: { kind: 'none' } });
    expect([response.total_count, response.page_count, response.body]).toEqual(['4', '4', null]);
  });

  it('are estimated with the same parameters', async () => {
    const query = parseQuery('select=id,directors!inner(id)&id=gt.1&directors.name=eq.Agnes');
    const node = planRead(query, reads.cache, { relation: { schema: 'studio', name: 'films' } });
    const { text, slots } = plannedCountStatement(node);
    const values = bind(slots, parametersOf(query));
    const [row] = await reads.client.query<{ 'QUERY PLAN': [{ Plan: object }] }>({ text, values });
    expect(row?.['QUERY PLAN'][0].Plan).toHaveProperty('Plan Rows');
  });
});

describe('an explained read', () => {
  it('returns the plan of the statement', async () => {
    const query = parseQuery('select=id,directors(name)&id=eq.1');
    const node = planRead(query, reads.cache, { relation: { schema: 'studio', name: 'films' } });
    const explain = {
      format: 'json',
      options: ['analyze', 'verbose', 'settings', 'buffers', 'wal'],
    } as const;
    const { text, slots } = explainedReadStatement(node, { format: { kind: 'json' } }, explain);
    const [row] = await reads.client.query<{ 'QUERY PLAN': [{ Plan: object }] }>({
      text,
      values: bind(slots, parametersOf(query)),
    });
    expect(row?.['QUERY PLAN'][0].Plan).toHaveProperty('Actual Rows', 1);
  });
});

describe('the format of a read', () => {
  const one = 'select=id,year,facts&id=eq.4';
  it.each<[name: string, query: string, read: TestRead, body: unknown]>([
    ['returns JSON', 'select=id&id=lt.3&order=id', {}, [{ id: 1 }, { id: 2 }]],
    ['omits nulls', one, { format: { kind: 'array-stripped' } }, [{ id: 4, facts: {} }]],
    [
      'returns a single object',
      one,
      { format: { kind: 'object', stripsNulls: false } },
      { id: 4, year: null, facts: { kind: null } },
    ],
    [
      'returns a single object without nulls',
      one,
      { format: { kind: 'object', stripsNulls: true } },
      { id: 4, facts: {} },
    ],
    [
      'returns null for a single object without rows',
      'id=eq.9',
      { format: { kind: 'object', stripsNulls: false } },
      null,
    ],
    [
      'returns CSV',
      'select=id,title,year,directors(id)&order=id.desc&id=in.(1,4)',
      { format: { kind: 'csv' } },
      'id,title,year,directors\n4,"Nobody, Again",,\n1,"Blue Train",1990,"{""id"":1}"',
    ],
    [
      'quotes names in CSV',
      '',
      { relation: 'odd "name', format: { kind: 'csv' } },
      'id,"a.b,c",count,"odd ""name"\n1,x,7,8',
    ],
    ['returns an empty line for CSV without rows', 'id=eq.9', { format: { kind: 'csv' } }, '\n'],
    [
      'applies a media type handler',
      'order=id',
      { relation: 'directors', format: namesHandler() },
      'Agnes+Bela+Chloe',
    ],
  ])('%s', async (_, query, read, body) => {
    expect((await reads.read(query, read)).body).toEqual(body);
  });
});

function namesHandler(): NonNullable<TestRead['format']> {
  const function_ = { schema: 'studio', name: 'names' };
  const target = { schema: 'studio', name: 'directors' };
  const handler = {
    kind: 'aggregate',
    mediaType: 'text/names',
    function: function_,
    target,
    isBinary: false,
  } as const;
  return { kind: 'custom', handler };
}

describe('rows of a function call', () => {
  const films = { name: 'pgrst_source', rows: sql`select * from studio.films` };
  const numbers = {
    name: 'pgrst_source',
    rows: sql`select pgrst_scalar from studio.count_to(3) as pgrst_scalar`,
  };
  const nothing = { name: 'pgrst_source', rows: sql`select null::int as pgrst_scalar` };
  const film = { name: 'pgrst_source', rows: sql`select * from studio.films where id = 1` };

  it.each<[name: string, query: string, read: TestRead, body: unknown]>([
    [
      'are filtered, ordered and embedded',
      'select=id,directors(name),actors!inner(name)&actors.name=eq.Yuri&order=id.desc&limit=1',
      { source: films, rootLimit: 1 },
      [{ id: 3, directors: { name: 'Bela' }, actors: [{ name: 'Yuri' }] }],
    ],
    [
      'have computed relationships',
      'select=id,rivals(id)&id=eq.4&rivals.id=eq.1',
      { source: films },
      [{ id: 4, rivals: [{ id: 1 }] }],
    ],
    ['have computed fields', 'select=shout&id=eq.1', { source: film, shape: 'row' }, { shout: 'BLUE TRAIN' }],
    ['are returned as an object for one row', 'select=id', { source: film, shape: 'row' }, { id: 1 }],
    [
      'are returned as a list of values',
      '',
      { relation: 'count_to', source: numbers, shape: 'scalars' },
      [1, 2, 3],
    ],
    ['are returned as a value', '', { relation: 'count_to', source: numbers, shape: 'scalar' }, 1],
    ['are returned as null', '', { relation: 'count_to', source: nothing, shape: 'scalar' }, null],
    ['are counted', 'select=id', { source: films, rootLimit: 1, count: 'exact' }, [{ id: 1 }]],
  ])('%s', async (_, query, read, body) => {
    expect((await reads.read(query, read)).body).toEqual(body);
  });

  it('are read before the response settings', async () => {
    const source = {
      name: 'pgrst_source',
      rows: sql`select pgrst_scalar from studio.respond() as pgrst_scalar`,
    };
    const response = await reads.read('', { relation: 'respond', source, shape: 'scalar' });
    expect([response.response_status, response.response_headers]).toEqual(['418', '[{"x": "y"}]']);
  });

  it.each<[shape: NonNullable<TestRead['shape']>]>([['scalar'], ['scalars']])(
    'are computed even if no body is requested: %s',
    async (shape) => {
      const rows = sql`select pgrst_scalar from studio.refuse() as pgrst_scalar`;
      const read: TestRead = { relation: 'refuse', source: { name: 'pgrst_source', rows }, shape };
      await expect(reads.read('', { ...read, format: { kind: 'none' } })).rejects.toThrow('refused');
    },
  );

  it('are counted as one row even if a filter excludes it', async () => {
    const read: TestRead = { source: film, shape: 'row', format: { kind: 'none' } };
    expect((await reads.read('select=id&id=eq.9', read)).page_count).toBe('1');
  });

  it('are all returned after a write, regardless of filters', async () => {
    const read: TestRead = { source: films, isWrite: true };
    const { body } = await reads.read('select=id&id=eq.1&or=(id.eq.1)&limit=1&order=id', read);
    expect(body).toHaveLength(4);
  });
});

describe('the SQL text of a read', () => {
  it('has the columns in a fixed order', () => {
    const node = planRead(parseQuery('select=id&id=eq.5'), reads.cache, {
      relation: { schema: 'studio', name: 'films' },
    });
    expect(readStatement(node, { format: { kind: 'json' } })).toEqual({
      text:
        'select null::bigint as total_count, count(*) as page_count, null::bigint as inserted_count, ' +
        'null::text as location, ' +
        "nullif(current_setting('response.headers', true), '') as response_headers, " +
        "nullif(current_setting('response.status', true), '') as response_status, " +
        'coalesce(json_agg("page".*), \'[]\') as body ' +
        'from (select "films"."id" as "id" from "studio"."films" as "films" where ("films"."id" = $1)) as "page"',
      slots: [0],
    });
  });
});
