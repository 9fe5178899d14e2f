import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DataServer, type WireRequest } from '../testing/data-server.ts';

const ODD = 'Odd "@/\\#~_-';
const ODD_SQL = `"${ODD.replaceAll('"', '""')}"`;

let server: DataServer;
beforeAll(async () => {
  server = await DataServer.open(
    `create schema east; create schema west; create schema inner_works; create schema ${ODD_SQL};
     grant usage on schema east, west, ${ODD_SQL} to anon;
     create domain public."text/plain" as text;
     create domain west."text/west" as text;
     do $each$
     declare s text;
     begin
       foreach s in array array['east', 'west'] loop
         execute format('create table %1$I.farms (id int primary key, name text);
           create table %1$I.barns (id int primary key, name text, farm int references %1$I.farms);
           create function %1$I.farms_below(id int) returns setof %1$I.farms stable language sql
             as ''select * from %1$I.farms f where f.id < $1'';
           grant all on all tables in schema %1$I to anon', s);
       end loop;
     end $each$;
     insert into east.farms values (1, 'east 1'), (2, 'east 2');
     insert into west.farms values (3, 'west 3'), (4, 'west 4');
     insert into west.barns values (1, 'barn', 3);
     create table west.wells (id int primary key, depth text);
     grant all on west.wells to anon;
     insert into west.wells values (5, 'deep');
     create function west.plain() returns public."text/plain" stable language sql as 'select ''plain''';
     create function west.own() returns west."text/west" stable language sql as 'select ''own''';
     create function west.well_next(state text, next west.wells) returns west."text/west" immutable language sql
       as 'select next.depth';
     create aggregate west.wells_all (west.wells) (initcond = '', stype = west."text/west", sfunc = west.well_next);
     create table inner_works.secrets (id int primary key);
     grant all on inner_works.secrets to anon;
     create table ${ODD_SQL}.tongues (id int primary key, name text);
     create table ${ODD_SQL}.names (id int primary key, name text, tongue_id int references ${ODD_SQL}.tongues);
     create function ${ODD_SQL}.tongue_of(${ODD_SQL}.names) returns setof ${ODD_SQL}.tongues rows 1 stable language sql
       as 'select * from ${ODD_SQL}.tongues where id = $1.tongue_id';
     grant select on all tables in schema ${ODD_SQL} to anon;
     insert into ${ODD_SQL}.tongues values (1, 'Suomi');
     insert into ${ODD_SQL}.names values (1, 'Aino', 1)`,
    { PGRST_DB_SCHEMAS: ` east, west ,${ODD}`, PGRST_DB_EXTRA_SEARCH_PATH: 'public' },
  );
});
afterAll(() => server.close());

const json = { 'content-type': 'application/json' };
const represented = { ...json, prefer: 'return=representation' };
const read = (schema: string, more: Record<string, string> = {}): WireRequest => ({
  headers: { 'accept-profile': schema, ...more },
});
const write = (
  method: string,
  schema: string | undefined,
  body?: unknown,
  headers: Record<string, string> = represented,
): WireRequest => ({
  method,
  headers: { ...headers, ...(schema !== undefined && { 'content-profile': schema }) },
  ...(body !== undefined && { body }),
});

describe('the schema of a request', () => {
  it.each<[path: string, request: WireRequest, status: number, schema: string, rows: unknown]>([
    ['/farms?select=id', {}, 200, 'east', [{ id: 1 }, { id: 2 }]],
    ['/farms?select=id', read('east'), 200, 'east', [{ id: 1 }, { id: 2 }]],
    ['/farms?select=id', read('west'), 200, 'west', [{ id: 3 }, { id: 4 }]],
    ['/wells', read('west'), 200, 'west', [{ id: 5, depth: 'deep' }]],
    ['/names?select=name,tongues(name)', read(ODD), 200, ODD, [{ name: 'Aino', tongues: { name: 'Suomi' } }]],
    [
      '/names?select=name,tongue_of(name)',
      read(ODD),
      200,
      ODD,
      [{ name: 'Aino', tongue_of: { name: 'Suomi' } }],
    ],
    ['/rpc/farms_below?id=2', {}, 200, 'east', [{ id: 1, name: 'east 1' }]],
    [
      '/rpc/farms_below?id=4&select=id,barns(name)',
      read('west'),
      200,
      'west',
      [{ id: 3, barns: [{ name: 'barn' }] }],
    ],
    ['/rpc/farms_below?select=id', write('POST', 'west', { id: 4 }, json), 200, 'west', [{ id: 3 }]],
    [
      '/barns',
      write('POST', undefined, { id: 1, name: 'new', farm: 1 }),
      201,
      'east',
      [{ id: 1, name: 'new', farm: 1 }],
    ],
    [
      '/barns?select=id,farm(name)',
      write('POST', 'west', { id: 2, name: 'new', farm: 4 }),
      201,
      'west',
      [{ id: 2, farm: { name: 'west 4' } }],
    ],
    [
      '/barns?id=eq.2&select=name,farm(name)',
      write('PATCH', 'west', { name: 'old' }),
      200,
      'west',
      [{ name: 'old', farm: { name: 'west 4' } }],
    ],
    [
      '/barns?id=eq.3',
      write('PUT', 'west', { id: 3, name: 'put', farm: null }),
      201,
      'west',
      [{ id: 3, name: 'put', farm: null }],
    ],
    ['/barns?id=gt.1&select=id&order=id', write('DELETE', 'west'), 200, 'west', [{ id: 2 }, { id: 3 }]],
    // Each method has its own header, and knows nothing of the other.
    [
      '/barns?id=eq.9',
      { ...write('DELETE', undefined), headers: { ...represented, 'accept-profile': 'west' } },
      200,
      'east',
      [],
    ],
    ['/farms?select=id&id=eq.1', { headers: { 'content-profile': 'west' } }, 200, 'east', [{ id: 1 }]],
  ])('responds to %s %j with status %i from the schema %s', async (path, request, status, schema, rows) => {
    const response = await server.request(path, request);
    expect([response.status, response.json]).toEqual([status, rows]);
    expect(response.header('content-profile')).toBe(schema);
  });

  it('is selected for HEAD and OPTIONS', async () => {
    const head = await server.request('/wells', { method: 'HEAD', ...read('west') });
    expect([head.status, head.header('content-profile')]).toEqual([200, 'west']);
    const options = await server.request('/wells', { method: 'OPTIONS', ...read('west') });
    expect([options.status, options.header('allow')]).toEqual([
      200,
      'OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE',
    ]);
    expect((await server.request('/wells', { method: 'OPTIONS' })).status).toBe(404);
  });

  it('has its own media types and those of the search path', async () => {
    for (const [path, accept, type, text] of [
      ['/rpc/plain', 'text/plain', 'text/plain; charset=utf-8', 'plain'],
      ['/rpc/own', 'text/west', 'text/west', 'own'],
      ['/wells', 'text/west', 'text/west', 'deep'],
    ] as const) {
      const response = await server.request(path, read('west', { accept }));
      expect([response.status, response.header('content-type'), response.text]).toEqual([200, type, text]);
      expect(response.header('content-profile')).toBe('west');
    }
  });

  it('has its own OpenAPI document', async () => {
    const definitions = async (request: WireRequest) => {
      const response = await server.request('/', request);
      const document = response.json as { definitions: Record<string, unknown> };
      return [response.header('content-profile'), Object.keys(document.definitions).toSorted()];
    };
    expect(await definitions({})).toEqual(['east', ['barns', 'farms']]);
    expect(await definitions(read('west'))).toEqual(['west', ['barns', 'farms', 'wells']]);
  });
});

describe('an unexposed schema or relation', () => {
  it.each<[path: string, request: WireRequest]>([
    ['/farms', read('inner_works')],
    ['/secrets', read('inner_works')],
    ['/farms', read('nowhere')],
    ['/farms', read('pg_catalog')],
    ['/', read('nowhere')],
    ['/barns', write('POST', 'nowhere', { id: 1 })],
    ['/rpc/plain', write('POST', 'nowhere', {})],
  ])('is rejected: %s %j', async (path, request) => {
    const response = await server.request(path, request);
    expect(response.status).toBe(406);
    expect(response.json).toMatchObject({ code: 'PGRST106', details: null });
    expect((response.json as { hint: string }).hint).toContain(`east, west, ${ODD}`);
  });

  it('is reported as unknown if it belongs to another schema', async () => {
    const response = await server.request('/wells', read('east'));
    expect([response.status, response.json]).toEqual([
      404,
      {
        code: 'PGRST205',
        details: null,
        hint: null,
        message: "Could not find the table 'east.wells' in the schema cache",
      },
    ]);
  });
});

describe('a single schema', () => {
  it('is returned in content-profile only if requested', async () => {
    const single = await DataServer.open(
      'create schema api; grant usage on schema api to anon; create table api.things (id int); grant select on api.things to anon',
      { PGRST_DB_SCHEMAS: 'api' },
    );
    try {
      expect((await single.request('/things')).header('content-profile')).toBeNull();
      expect((await single.request('/things', read('api'))).header('content-profile')).toBe('api');
      expect((await single.request('/things', read('public'))).status).toBe(406);
    } finally {
      await single.close();
    }
  });
});
