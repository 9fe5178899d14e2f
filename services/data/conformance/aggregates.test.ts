/** Aggregate functions: alone, grouped, cast, of embedded and of spread rows; and where they are switched off. */
import { afterAll, beforeAll, describe, it } from 'vitest';
import type { DataServer } from '../testing/data-server.ts';
import { check, openHarbour, type Scenario } from './testing/harbour.ts';

let server: DataServer;
beforeAll(async () => {
  server = await openHarbour({ PGRST_DB_AGGREGATES_ENABLED: 'true' });
});
afterAll(() => server.close());

describe('aggregate functions', () => {
  it.each<readonly [query: string, rows: unknown]>([
    ['select=fee.sum()', [{ sum: 800 }]],
    ['select=fee.avg()', [{ avg: 160 }]],
    ['select=fee.min()', [{ min: 49.5 }]],
    ['select=fee.max()', [{ max: 400 }]],
    ['select=remark.count()', [{ count: 3 }]],
    ['select=count()', [{ count: 5 }]],
    ['select=visits:count()', [{ visits: 5 }]],
    ['select=count()::text', [{ count: '5' }]],
    ['select=total:fee.sum(),mean:fee.avg(),guides:pilots.sum()', [{ total: 800, mean: 160, guides: 6 }]],
    [
      'select=fee.sum(),fee.max(),day&order=day',
      [
        { sum: 150.5, max: 100.5, day: '2024-03-01' },
        { sum: 649.5, max: 400, day: '2024-03-02' },
      ],
    ],
    [
      'select=count(),remarks:remark.count(),day&order=day.desc',
      [
        { count: 3, remarks: 1, day: '2024-03-02' },
        { count: 2, remarks: 2, day: '2024-03-01' },
      ],
    ],
    [
      'select=total:fee.sum(),on:day&order=day',
      [
        { total: 150.5, on: '2024-03-01' },
        { total: 649.5, on: '2024-03-02' },
      ],
    ],
    [
      'select=c:count(),ship_id&order=ship_id.desc',
      [
        { c: 1, ship_id: null },
        { c: 1, ship_id: 3 },
        { c: 1, ship_id: 2 },
        { c: 2, ship_id: 1 },
      ],
    ],
    ['select=fee.sum()&day=eq.2024-03-01', [{ sum: 150.5 }]],
    ['select=fee.sum()&id=eq.99', [{ sum: null }]],
    ['select=count()&limit=1', [{ count: 5 }]],
    ['select=extras->dues::numeric.sum()', [{ sum: 35 }]],
    ['select=extras->>dues::int.sum()', [{ sum: 35 }]],
    ['select=fee.avg()::int', [{ avg: 160 }]],
    ['select=s:extras->>dues::int.sum()::text', [{ s: '35' }]],
    ['select=day::text,count()&day=eq.2024-03-01', [{ day: '2024-03-01', count: 2 }]],
    ['select=extras->>dues,count()&ship_id=eq.2', [{ dues: null, count: 1 }]],
    ['select=count(),fee.max()&order=day', '42803'],
    ['select=day.max()', [{ max: '2024-03-02' }]],
    ['select=count', [{ count: 5 }]],
    [
      'select=ship_id,total:fee.sum(),ships(name)&ship_id=lt.3&order=ship_id',
      [
        { ship_id: 1, total: 300.5, ships: { name: 'Albatross' } },
        { ship_id: 2, total: 50, ships: { name: 'Bonito' } },
      ],
    ],
    [
      'select=total:fee.sum(),...ships(name)&ship_id=lt.3&order=ships(name).desc',
      [
        { total: 50, name: 'Bonito' },
        { total: 300.5, name: 'Albatross' },
      ],
    ],
    [
      'select=day,...ships(crew.max(),crew.min())&order=day',
      [
        { day: '2024-03-01', max: 12, min: 4 },
        { day: '2024-03-02', max: 30, min: 12 },
      ],
    ],
    ['select=...ships(crews:crew.sum())', [{ crews: 58 }]],
    ['select=...ships(count())&ship_id=is.null', [{ count: 0 }]],
    ['select=...ships(name,visits:count())&ship_id=eq.1', [{ name: 'Albatross', visits: 2 }]],
    [
      'select=total:fee.sum(),...ships(flag,crews:crew.sum())&ship_id=not.is.null&order=ships(flag)',
      [
        { total: 700.5, flag: 'NO', crews: 54 },
        { total: 50, flag: 'PT', crews: 4 },
      ],
    ],
    ['select=fee.sum(),...ships(...owners(city))&ship_id=lt.3&order=fee.sum', 'PGRST100'],
    [
      'select=...ships(fleet:owner_id,...owners(count()))&ship_id=not.is.null&order=ships(fleet)',
      [
        { fleet: 1, count: 3 },
        { fleet: 2, count: 1 },
      ],
    ],
    ['select=...ships(owners(city),crew.sum())&ship_id=eq.2', [{ owners: { city: 'Lisboa' }, sum: 4 }]],
  ])('respond to %s with %j', (query, rows) =>
    check(server, {
      path: `/calls?${query}`,
      ...(typeof rows === 'string' ? { status: 400, json: { code: rows } } : { json: rows }),
    }),
  );

  it.each<Scenario>([
    {
      name: 'group embedded rows by their other columns',
      path: '/ships?select=name,calls(fee.sum(),day)&calls.order=day&id=lt.3&order=id',
      json: [
        {
          name: 'Albatross',
          calls: [
            { sum: 100.5, day: '2024-03-01' },
            { sum: 200, day: '2024-03-02' },
          ],
        },
        { name: 'Bonito', calls: [{ sum: 50, day: '2024-03-01' }] },
      ],
    },
    {
      name: 'return one row per embedding without grouping columns',
      path: '/ships?select=name,calls(fee.sum(),fee.avg(),fee.max(),fee.min(),fee.count())&id=in.(1,6)&order=id',
      json: [
        { name: 'Albatross', calls: [{ sum: 300.5, avg: 150.25, max: 200, min: 100.5, count: 2 }] },
        { name: 'Pelican', calls: [{ sum: null, avg: null, max: null, min: null, count: 0 }] },
      ],
    },
    {
      name: 'count embedded rows with count()',
      path: '/owners?select=name,ships(count())&order=id',
      json: [
        { name: 'Fjord Line', ships: [{ count: 2 }] },
        { name: 'Tejo', ships: [{ count: 2 }] },
        { name: 'Idle', ships: [{ count: 0 }] },
      ],
    },
    {
      name: 'count embedded rows with the legacy name count',
      path: '/owners?select=name,ships(count)&id=eq.1',
      json: [{ name: 'Fjord Line', ships: [{ count: 2 }] }],
    },
    {
      name: 'aggregate a spread embedding within embedded rows',
      path: '/owners?select=name,ships(...owners(founded.max()))&id=eq.1',
      json: [{ name: 'Fjord Line', ships: [{ max: '1990-05-01' }] }],
    },
    { name: 'aggregate the rows of a function', path: '/rpc/all_ships?select=id.max()', json: [{ max: 6 }] },
    {
      name: 'sum a column called count',
      path: '/Cargo%20Items?select=kind-of_ware,count.sum()&id=eq.1',
      json: [{ 'kind-of_ware': 'bulk', sum: 5 }],
    },
    {
      name: 'aggregate the rows that a write returns',
      path: '/sailors?select=age.sum()',
      method: 'PATCH',
      headers: { prefer: 'return=representation' },
      body: { age: 2 },
      json: [{ sum: 6 }],
    },
    {
      name: 'are rejected in a spread to-many embedding',
      path: '/ships?select=name,...calls(day,fee.sum())',
      status: 400,
      json: { code: 'PGRST127', hint: null },
    },
    {
      name: 'return the error of PostgreSQL for a type without sum',
      path: '/ships?select=name.sum()',
      status: 404,
      json: { code: '42883', message: 'function sum(text) does not exist' },
    },
    {
      name: 'are rejected if unknown',
      path: '/ships?select=crew.median()',
      status: 400,
      json: { code: 'PGRST100' },
    },
    { name: 'are rejected on *', path: '/ships?select=*.count()', status: 400, json: { code: 'PGRST100' } },
  ])('$name', (scenario) => check(server, scenario));
});

describe('disabled aggregate functions', () => {
  let own: DataServer;
  beforeAll(async () => {
    own = await openHarbour();
  });
  afterAll(() => own.close());

  it.each([
    '/calls?select=fee.sum()',
    '/calls?select=count()',
    '/ships?select=name,calls(fee.sum())',
    '/calls?select=...ships(id.count())',
    '/ships?select=...calls(id.count())',
    '/rpc/all_ships?select=id.max()',
  ])('are rejected in %s', (path) =>
    check(own, { path, status: 400, json: { code: 'PGRST123', details: null, hint: null } }),
  );

  it.each<readonly [path: string, rows: unknown]>([
    ['/calls?select=count', [{ count: 5 }]],
    ['/owners?select=ships(count)&id=eq.1', [{ ships: [{ count: 2 }] }]],
  ])('still allow the legacy count in %s', (path, json) => check(own, { path, json }));
});
