/** What of rows is read, and in which order: columns, aliases, casts, fields within columns, order. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DataServer } from '../testing/data-server.ts';
import { check, openHarbour, type Scenario } from './testing/harbour.ts';

let server: DataServer;
beforeAll(async () => {
  server = await openHarbour();
});
afterAll(() => server.close());

describe('selected columns', () => {
  it.each<Scenario>([
    {
      name: 'are all columns by default',
      path: '/owners?id=eq.1',
      json: [{ id: 1, name: 'Fjord Line', city: 'Bergen', founded: '1990-05-01' }],
    },
    {
      name: 'are all columns if select is empty',
      path: '/owners?id=eq.3&select=',
      json: [{ id: 3, name: 'Idle', city: null, founded: '2020-01-01' }],
    },
    {
      name: 'are all columns of a function if select is empty',
      path: '/rpc/buoys_between?first=1&last=2&select=',
      json: [{ id: 2 }],
    },
    {
      name: 'are returned without the others',
      path: '/ships?select=name,crew&order=id&limit=2',
      json: [
        { name: 'Albatross', crew: 12 },
        { name: 'Bonito', crew: 4 },
      ],
    },
    {
      name: 'may be separated by spaces',
      path: '/owners?id=eq.1&select=id, name',
      json: [{ id: 1, name: 'Fjord Line' }],
    },
    {
      name: 'may be * with an additional alias',
      path: '/badges?id=eq.1&select=*,again:id',
      json: [{ id: 1, again: 1 }],
    },
    {
      name: 'may have aliases',
      path: '/ships?id=eq.1&select=shipName:name,crewSize:crew',
      json: [{ shipName: 'Albatross', crewSize: 12 }],
    },
    {
      name: 'may have casts',
      path: '/ships?id=eq.1&select=name,tonnage::text',
      json: [{ name: 'Albatross', tonnage: '900.50' }],
    },
    {
      name: 'may have an alias and a cast',
      path: '/ships?id=eq.1&select=size:tonnage::int',
      json: [{ size: 901 }],
    },
    {
      name: 'may be cast to an array',
      path: '/ships?id=eq.1&select=decks::_text',
      json: [{ decks: ['3', '5'] }],
    },
    {
      name: 'may have any type',
      path: '/ships?id=eq.1&select=launched,holds,moored,spot,in_service',
      json: [
        {
          launched: '1988-04-25',
          holds: ['salt', 'timber'],
          moored: '[1,4)',
          spot: { lat: 60.1, long: 5.3 },
          in_service: true,
        },
      ],
    },
    {
      name: 'may have a dash in the name',
      path: '/Cargo%20Items?id=eq.1&select=id,kind-of_ware',
      json: [{ id: 1, 'kind-of_ware': 'bulk' }],
    },
  ])('$name', (scenario) => check(server, scenario));

  it.each<Scenario>([
    {
      name: 'a cast to an unknown type',
      path: '/ships?select=id::tonnes',
      status: 400,
      json: { code: '42704', message: 'type "tonnes" does not exist', details: null, hint: null },
    },
    {
      name: 'a cast that fails',
      path: '/ships?select=papers->>class::int',
      status: 400,
      json: { code: '22P02', message: 'invalid input syntax for type integer: "A1"' },
    },
    {
      name: 'an unknown column',
      path: '/ships?select=id,captain',
      status: 400,
      json: { code: '42703', message: 'column ships.captain does not exist' },
    },
    { name: 'an empty alias', path: '/ships?select=:id', status: 400, json: { code: 'PGRST100' } },
    { name: 'an empty cast', path: '/ships?select=id::', status: 400, json: { code: 'PGRST100' } },
    {
      name: 'an array type in brackets',
      path: '/ships?select=decks::text[]',
      status: 400,
      json: { code: 'PGRST100' },
    },
    { name: 'a join hint', path: '/ships?select=id!inner', status: 400, json: { code: 'PGRST100' } },
    { name: 'a trailing comma', path: '/ships?select=id,', status: 400, json: { code: 'PGRST100' } },
  ])('reject $name', (scenario) => check(server, scenario));
});

describe('selected fields of JSON, composite and array columns', () => {
  const checks = [
    { by: 'Lund', year: 2019 },
    { by: 'Marsh', year: 2021 },
  ];
  it.each<readonly [select: string, id: number, row: unknown]>([
    ['id,papers->>class,papers->checks', 1, { id: 1, class: 'A1', checks }],
    ['id,papers->checks->0->>by', 1, { id: 1, by: 'Lund' }],
    ['papers->age', 2, { age: 25 }],
    ['papers->>age', 2, { age: '25' }],
    ['years:papers->age', 2, { years: 25 }],
    ['papers->>age::int', 2, { age: 25 }],
    ['years:papers->>age::int', 2, { years: 25 }],
    ['papers->>checks::json', 2, { checks: [{ by: 'Rocha', year: 2020 }] }],
    ['papers->checks->-1->>by', 1, { by: 'Marsh' }],
    ['papers->checks->>0', 2, { checks: '{"by": "Rocha", "year": 2020}' }],
    ['papers->0->>1::int', 6, { papers: 8 }],
    ['a:papers->0->0,b:papers->1->-1', 6, { a: 9, b: 13 }],
    ['papers->odd!@%23$%25^%26*key->>in!side::int', 4, { 'in!side': 3 }],
    ['papers->nothing->at->all', 1, { all: null }],
    ['log->sea->wind', 1, { wind: 5 }],
    ['spot->>lat,spot->long', 2, { lat: '38.700000', long: -9.1 }],
    ['first:holds->0,holds->>1', 3, { first: 'salt', holds: 'timber' }],
    ['first:decks->0,last:decks->-1', 3, { first: 2, last: 6 }],
    ['decks->9', 3, { decks: null }],
  ])('return %s of ship %i', (select, id, row) =>
    check(server, { path: `/ships?id=eq.${id}&select=${select}`, json: [row] }),
  );

  it('return and filter by fields of composites', () =>
    check(server, {
      path: '/ships?select=id,spot->>lat,spot->>long,first_hold:holds->0&spot->lat=gte.63',
      json: [{ id: 3, lat: '63.400000', long: '10.400000', first_hold: 'salt' }],
    }));

  it.each<Scenario>([
    {
      name: 'an arrow after ->>',
      path: '/ships?select=papers->>checks->0',
      status: 404,
      json: { code: '42883', message: 'operator does not exist: text -> integer' },
    },
    {
      name: 'a key after ->>',
      path: '/ships?select=papers->>checks->first',
      status: 404,
      json: { code: '42883', message: 'operator does not exist: text -> unknown' },
    },
    {
      name: 'a filter by a key after ->>',
      path: '/ships?papers->>checks->>first=eq.1',
      status: 404,
      json: { code: '42883', message: 'operator does not exist: text ->> unknown' },
    },
    {
      name: 'a parenthesis in a key',
      path: '/ships?select=papers->(class',
      status: 400,
      json: { code: 'PGRST100' },
    },
    { name: 'two minus signs', path: '/ships?select=papers->>--34', status: 400, json: { code: 'PGRST100' } },
    {
      name: 'an index followed by letters',
      path: '/ships?select=papers->>-78xy',
      status: 400,
      json: { code: 'PGRST100' },
    },
    { name: 'a missing key', path: '/ships?select=papers->', status: 400, json: { code: 'PGRST100' } },
  ])('reject $name', (scenario) => check(server, scenario));
});

describe('order', () => {
  it.each<readonly [order: string, ids: readonly number[]]>([
    ['id', [1, 2, 3, 4, 5, 6]],
    ['id.asc', [1, 2, 3, 4, 5, 6]],
    ['id.desc', [6, 5, 4, 3, 2, 1]],
    ['crew.desc,id.asc', [6, 3, 1, 4, 5, 2]],
    ['crew.desc,id.desc', [6, 3, 4, 1, 5, 2]],
    ['tonnage', [2, 4, 1, 3, 6, 5]],
    ['tonnage.desc', [5, 6, 3, 1, 4, 2]],
    ['tonnage.nullsfirst', [5, 2, 4, 1, 3, 6]],
    ['tonnage.asc.nullslast', [2, 4, 1, 3, 6, 5]],
    ['tonnage.desc.nullsfirst', [5, 6, 3, 1, 4, 2]],
    ['tonnage.desc.nullslast', [6, 3, 1, 4, 2, 5]],
    ['flag.desc.nullslast,id.desc', [2, 3, 1, 5, 4, 6]],
    ['papers->>age.desc.nullslast,id', [3, 2, 1, 4, 5, 6]],
    ['papers->>class.nullsfirst,id.desc', [6, 5, 4, 3, 1, 2]],
    ['spot->>lat.nullsfirst,id', [5, 6, 4, 2, 1, 3]],
    ['spot->lat.desc.nullslast,id', [3, 1, 2, 4, 5, 6]],
    ['decks->0.desc.nullslast,id', [6, 1, 3, 2, 4, 5]],
  ])('by %s returns the ids %j', (order, ids) =>
    check(server, { path: `/ships?select=id&order=${order}`, json: ids.map((id) => ({ id })) }),
  );

  it.each<Scenario>([
    {
      name: 'applies to embedded rows',
      path: '/owners?id=eq.1&select=id,ships(id)&ships.order=id.desc',
      json: [{ id: 1, ships: [{ id: 3 }, { id: 1 }] }],
    },
    {
      name: 'applies to embedded rows with an alias',
      path: '/owners?id=eq.1&select=id,fleet:ships(id)&fleet.order=name.desc',
      json: [{ id: 1, fleet: [{ id: 3 }, { id: 1 }] }],
    },
    {
      name: 'applies two levels down',
      path: '/owners?id=eq.1&select=ships(id,calls(id))&ships.order=id&ships.calls.order=fee.desc',
      json: [
        {
          ships: [
            { id: 1, calls: [{ id: 2 }, { id: 1 }] },
            { id: 3, calls: [{ id: 4 }] },
          ],
        },
      ],
    },
    {
      name: 'is accepted for a to-one embedding',
      path: '/ships?id=eq.1&select=id,owners(id)&owners.order=name.asc',
      json: [{ id: 1, owners: { id: 1 } }],
    },
    {
      name: 'sorts by a column of a to-one embedding',
      path: '/ships?select=id,owners(name)&order=owners(name).desc.nullslast,id&limit=2',
      json: [
        { id: 2, owners: { name: 'Tejo' } },
        { id: 5, owners: { name: 'Tejo' } },
      ],
    },
  ])('$name', (scenario) => check(server, scenario));

  it.each<readonly [name: string, order: string]>([
    ['an unknown direction', 'id.ac'],
    ['letters after a direction', 'id.descc'],
    ['an unknown position of nulls', 'id.nulsfist'],
    ['letters after the position of nulls', 'id.nullslasttt'],
    ['letters after direction and position of nulls', 'id.asc.nullslasttt'],
    ['the position of nulls before the direction', 'id.nullslast.asc'],
    ['a trailing comma', 'id,'],
    ['an empty value', ''],
    ['two columns of an embedding', 'owners(name,id)'],
  ])('rejects %s', (_name, order) =>
    check(server, {
      path: `/ships?order=${order}`,
      status: 400,
      json: { code: 'PGRST100', hint: null },
    }),
  );

  it('reports the position of a syntax error', () =>
    check(server, {
      path: '/badges?order=id.asc.nullslasttt',
      status: 400,
      json: {
        message: '"failed to parse order (id.asc.nullslasttt)" (line 1, column 17)',
        details: expect.stringContaining("unexpected 't'"),
      },
    }));
});

describe('a relation', () => {
  it.each<Scenario>([
    {
      name: 'returns only headers to HEAD',
      path: '/owners?id=lt.3',
      method: 'HEAD',
      text: '',
      answered: {
        'content-range': '0-1/*',
        'content-type': 'application/json; charset=utf-8',
        'content-length': null,
      },
    },
    {
      name: 'returns only the error status to HEAD',
      path: '/owners?id=eq.x',
      method: 'HEAD',
      status: 400,
      text: '',
      answered: { 'proxy-status': 'PostgREST; error=22P02' },
    },
    {
      name: 'is rejected if unknown',
      path: '/lighthouses',
      status: 404,
      json: {
        code: 'PGRST205',
        message: "Could not find the table 'public.lighthouses' in the schema cache",
        details: null,
        hint: null,
      },
    },
    {
      name: 'is suggested for a similar name',
      path: '/shipz',
      status: 404,
      json: { code: 'PGRST205', hint: "Perhaps you meant the table 'public.ships'" },
    },
    {
      name: 'is rejected in a nested path',
      path: '/owners/1/ships',
      status: 404,
      json: { code: 'PGRST125' },
    },
    {
      name: 'is rejected if it is a partition',
      path: '/voyages_old',
      status: 404,
      json: { code: 'PGRST205' },
    },
    {
      name: 'may be a partitioned table',
      path: '/voyages?select=year&order=year',
      json: [{ year: 1999 }, { year: 2001 }],
    },
    {
      name: 'has sorted parameters in content-location',
      path: '/ships?name=eq.Oden&crew=eq.7&select=id',
      json: [{ id: 5 }],
      answered: { 'content-location': '/ships?crew=eq.7&name=eq.Oden&select=id' },
    },
    {
      name: 'has no question mark in content-location without parameters',
      path: '/badges',
      answered: { 'content-location': '/badges' },
    },
  ])('$name', (scenario) => check(server, scenario));

  it('is filtered by an index', async () => {
    const headers = { accept: 'application/vnd.pgrst.plan' };
    const { text } = await server.request('/soundings?depth=eq.7', { headers });
    expect(text).toMatch(/Index Scan (using|on) soundings_depth/);
    expect(text).toContain('Index Cond');
  });
});
