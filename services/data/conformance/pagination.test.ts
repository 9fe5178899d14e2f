/** Which rows of how many: limits, offsets, the header Range, counts, and the cap on rows. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DataServer } from '../testing/data-server.ts';
import { check, openHarbour, type Scenario } from './testing/harbour.ts';

let server: DataServer;
let cappedServer: DataServer;
beforeAll(async () => {
  server = await openHarbour();
  cappedServer = await openHarbour({ PGRST_DB_MAX_ROWS: '2' });
});
afterAll(async () => {
  await cappedServer.close();
  await server.close();
});

const buoys = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, i) => ({ id: first + i }));
const EXACT = { prefer: 'count=exact' };
const PLANNED = { prefer: 'count=planned' };
const ESTIMATED = { prefer: 'count=estimated' };

describe('limit and offset', () => {
  it.each<Scenario>([
    {
      name: 'return all rows if missing',
      path: '/buoys?order=id',
      json: buoys(1, 15),
      answered: { 'content-range': '0-14/*', 'preference-applied': null },
    },
    {
      name: 'return one page',
      path: '/buoys?order=id&limit=3&offset=2',
      json: buoys(3, 5),
      answered: { 'content-range': '2-4/*' },
    },
    {
      name: 'return the headers of one page to HEAD',
      path: '/buoys?order=id&limit=3&offset=2',
      method: 'HEAD',
      text: '',
      answered: { 'content-range': '2-4/*', 'content-type': 'application/json; charset=utf-8' },
    },
    {
      name: 'return the first rows with a limit only',
      path: '/buoys?order=id&limit=3',
      json: buoys(1, 3),
      answered: { 'content-range': '0-2/*' },
    },
    {
      name: 'skip rows with an offset only',
      path: '/buoys?order=id&offset=10',
      json: buoys(11, 15),
      answered: { 'content-range': '10-14/*' },
    },
    {
      name: 'return no rows of an empty result',
      path: '/buoys?offset=0&id=eq.0',
      json: [],
      answered: { 'content-range': '*/*' },
    },
    {
      name: 'return the total of an empty result with count=exact',
      path: '/buoys?offset=0&id=eq.0',
      headers: EXACT,
      json: [],
      answered: { 'content-range': '*/0' },
    },
    {
      name: 'ignore a negative offset',
      path: '/buoys?order=id&offset=-4',
      json: buoys(1, 15),
      answered: { 'content-range': '0-14/*' },
    },
    {
      name: 'return no rows with a limit of 0',
      path: '/buoys?limit=0',
      json: [],
      answered: { 'content-range': '*/*' },
    },
    {
      name: 'return the total with a limit of 0 and count=exact',
      path: '/buoys?limit=0',
      headers: EXACT,
      status: 206,
      json: [],
      answered: { 'content-range': '*/15' },
    },
    {
      name: 'return no rows with an offset beyond the end',
      path: '/buoys?offset=100',
      json: [],
      answered: { 'content-range': '*/*' },
    },
    {
      name: 'ignore values that are not numbers',
      path: '/buoys?order=id&limit=many&offset=x',
      json: buoys(1, 15),
    },
    {
      name: 'apply to all levels of embedding',
      path: '/owners?select=id,ships(id,calls(id))&order=id&limit=1&ships.order=id&ships.limit=1&ships.calls.order=id.desc&ships.calls.limit=1',
      json: [{ id: 1, ships: [{ id: 1, calls: [{ id: 2 }] }] }],
    },
    {
      name: 'skip embedded rows',
      path: '/owners?select=id,ships(id)&id=eq.1&ships.order=id&ships.offset=1',
      json: [{ id: 1, ships: [{ id: 3 }] }],
    },
    {
      name: 'skip the row of a to-one embedding',
      path: '/ships?select=id,owners(id)&id=eq.1&owners.offset=1',
      json: [{ id: 1, owners: null }],
    },
    {
      name: 'apply to the rows of a function',
      path: '/rpc/buoys_between?first=0&last=9&limit=2&offset=1&order=id',
      json: buoys(2, 3),
      answered: { 'content-range': '1-2/*' },
    },
    {
      name: 'apply to the rows of a function called by POST',
      path: '/rpc/buoys_between?limit=2&offset=1&order=id',
      method: 'POST',
      body: { first: 0, last: 9 },
      json: buoys(2, 3),
      answered: { 'content-range': '1-2/*' },
    },
  ])('$name', (scenario) => check(server, scenario));
});

describe('the header Range', () => {
  const range = (value: string, prefer?: string) => ({
    'range-unit': 'items',
    range: value,
    ...(prefer !== undefined && { prefer }),
  });
  it.each<Scenario>([
    {
      name: 'returns the rows from start to end',
      path: '/buoys?order=id',
      headers: range('0-1'),
      json: buoys(1, 2),
      answered: { 'content-range': '0-1/*' },
    },
    {
      name: 'returns one row',
      path: '/buoys?order=id',
      headers: range('0-0'),
      json: buoys(1, 1),
      answered: { 'content-range': '0-0/*' },
    },
    {
      name: 'returns the remaining rows without an end',
      path: '/buoys?order=id',
      headers: range('10-'),
      json: buoys(11, 15),
      answered: { 'content-range': '10-14/*' },
    },
    {
      name: 'returns all rows without an end',
      path: '/buoys?order=id',
      headers: range('0-'),
      json: buoys(1, 15),
    },
    {
      name: 'returns the existing rows of a longer range',
      path: '/buoys?order=id',
      headers: range('10-100'),
      json: buoys(11, 15),
      answered: { 'content-range': '10-14/*' },
    },
    {
      name: 'returns no rows of an empty table',
      path: '/empty_slips',
      headers: range('0-1'),
      json: [],
      answered: { 'content-range': '*/*' },
    },
    {
      name: 'returns 206 and the total with count=exact',
      path: '/buoys?order=id',
      headers: range('0-1', 'count=exact'),
      status: 206,
      json: buoys(1, 2),
      answered: { 'content-range': '0-1/15' },
    },
    {
      name: 'returns 200 for all rows with count=exact',
      path: '/buoys?order=id',
      headers: range('0-14', 'count=exact'),
      json: buoys(1, 15),
      answered: { 'content-range': '0-14/15' },
    },
    {
      name: 'narrows the limit',
      path: '/buoys?order=id&limit=3',
      headers: range('0-1'),
      json: buoys(1, 2),
      answered: { 'content-range': '0-1/*' },
    },
    {
      name: 'is narrowed by the limit',
      path: '/buoys?order=id&limit=3',
      headers: range('2-9'),
      json: buoys(3, 3),
      answered: { 'content-range': '2-2/*' },
    },
    {
      name: 'is ignored with a unit in its value',
      path: '/badges?order=id',
      headers: { range: 'items=0-0' },
      json: [{ id: 1 }, { id: 2 }],
    },
    {
      name: 'is ignored for HEAD',
      path: '/buoys',
      method: 'HEAD',
      headers: range('0-1'),
      text: '',
      answered: { 'content-range': '0-14/*' },
    },
    {
      name: 'applies to a function',
      path: '/rpc/buoys_between?first=0&last=9',
      headers: range('1-2'),
      json: buoys(2, 3),
      answered: { 'content-range': '1-2/*' },
    },
    {
      name: 'is ignored for a function called by POST',
      path: '/rpc/buoys_between',
      method: 'POST',
      body: { first: 0, last: 2 },
      headers: range('1-2'),
      json: buoys(1, 2),
    },
  ])('$name', (scenario) => check(server, scenario));
});

describe('range validation', () => {
  it.each<Scenario>([
    { name: 'a negative limit', path: '/buoys?limit=-1', answered: {} },
    {
      name: 'a negative limit of embedded rows',
      path: '/owners?select=id,ships(id)&ships.limit=-1',
      answered: {},
    },
    { name: 'an end before the start', path: '/buoys', headers: { range: '1-0' }, answered: {} },
    {
      name: 'an end before the start for a function',
      path: '/rpc/all_ships',
      headers: { range: '1-0' },
      answered: {},
    },
    {
      name: 'a Range header outside of the limit',
      path: '/buoys?limit=2',
      headers: { range: '5-6' },
      answered: {},
    },
    {
      name: 'an offset in an empty table',
      path: '/empty_slips?offset=1',
      headers: EXACT,
      answered: { 'content-range': '*/0' },
    },
    {
      name: 'an offset beyond the end',
      path: '/buoys?offset=100',
      headers: EXACT,
      answered: { 'content-range': '*/15' },
    },
    {
      name: 'a Range header for an empty table',
      path: '/empty_slips',
      headers: { range: '1-2', ...EXACT },
      answered: { 'content-range': '*/0' },
    },
    {
      name: 'a Range header beyond the end',
      path: '/buoys',
      headers: { range: '100-199', ...EXACT },
      answered: { 'content-range': '*/15' },
    },
    {
      name: 'a Range header beyond the rows of a function',
      path: '/rpc/buoys_between?first=0&last=15',
      headers: { range: '100-199', ...EXACT },
      answered: { 'content-range': '*/15' },
    },
  ])('rejects $name', (scenario) =>
    check(server, {
      ...scenario,
      status: 416,
      json: {
        code: 'PGRST103',
        message: 'Requested range not satisfiable',
        details: expect.any(String),
        hint: null,
      },
    }),
  );

  it('accepts an offset equal to the number of rows', () =>
    check(server, {
      path: '/buoys?offset=15',
      headers: EXACT,
      status: 206,
      json: [],
      answered: { 'content-range': '*/15' },
    }));
});

describe('counts', () => {
  it.each<Scenario>([
    {
      name: 'return the exact total',
      path: '/soundings',
      method: 'HEAD',
      headers: { prefer: 'count=exact' },
      answered: { 'content-range': '0-2999/3000', 'preference-applied': 'count=exact' },
    },
    {
      name: 'return the exact total of a limited read',
      path: '/soundings?limit=25',
      method: 'HEAD',
      headers: EXACT,
      status: 206,
      answered: { 'content-range': '0-24/3000' },
    },
    {
      name: 'return the exact total of a filtered read',
      path: '/buoys?select=id&id=gt.8&limit=1',
      headers: EXACT,
      status: 206,
      json: [{ id: 9 }],
      answered: { 'content-range': '0-0/7' },
    },
    {
      name: 'return the exact total of rows with an inner join',
      path: '/owners?select=id,ships!inner(id)&ships.flag=eq.NO',
      headers: EXACT,
      json: [{ id: 1, ships: [{ id: 1 }, { id: 3 }] }],
      answered: { 'content-range': '0-0/1' },
    },
    {
      name: 'return the exact total of rows without embedded rows',
      path: '/owners?select=id,ships()&ships=is.null',
      headers: EXACT,
      json: [{ id: 3 }],
      answered: { 'content-range': '0-0/1' },
    },
    {
      name: 'return the exact total of a condition on an embedding',
      path: '/owners?select=id,ships()&or=(ships.is.null,id.eq.1)&order=id&limit=1',
      headers: EXACT,
      status: 206,
      json: [{ id: 1 }],
      answered: { 'content-range': '0-0/2' },
    },
    {
      name: 'return the exact total of an empty result',
      path: '/buoys?id=eq.0',
      headers: EXACT,
      json: [],
      answered: { 'content-range': '*/0' },
    },
    {
      name: 'return the exact total of a view',
      path: '/working_ships?limit=1',
      headers: EXACT,
      status: 206,
      answered: { 'content-range': '0-0/4' },
    },
    {
      name: 'return the exact total of a function',
      path: '/rpc/buoys_between?first=0&last=9&limit=2',
      headers: EXACT,
      status: 206,
      answered: { 'content-range': '0-1/9' },
    },
    {
      name: 'return the exact total of a scalar function',
      path: '/rpc/one',
      headers: EXACT,
      json: 1,
      answered: { 'content-range': '0-0/1' },
    },
    {
      name: 'use the first of two preferences',
      path: '/buoys?limit=1',
      headers: { prefer: 'count=exact, count=planned' },
      status: 206,
      answered: { 'content-range': '0-0/15', 'preference-applied': 'count=exact' },
    },
    {
      name: 'return the planned total',
      path: '/buoys',
      method: 'HEAD',
      headers: PLANNED,
      answered: { 'content-range': '0-14/15', 'preference-applied': 'count=planned' },
    },
    {
      name: 'return the planned total of a limited read',
      path: '/soundings?limit=25',
      method: 'HEAD',
      headers: PLANNED,
      status: 206,
      answered: { 'content-range': '0-24/3000' },
    },
    {
      name: 'return the planned total of a read with limit and offset',
      path: '/buoys?limit=2&offset=3',
      method: 'HEAD',
      headers: PLANNED,
      status: 206,
      answered: { 'content-range': '3-4/15' },
    },
    {
      name: 'return the planned total of a view',
      path: '/guessed?limit=2',
      method: 'HEAD',
      headers: PLANNED,
      status: 206,
      answered: { 'content-range': '0-1/2000' },
    },
    {
      name: 'omit the planned total of a function',
      path: '/rpc/buoys_between?first=0&last=9',
      headers: PLANNED,
      answered: { 'content-range': '0-8/*' },
    },
    {
      name: 'omit the planned total of a write',
      path: '/buoys?id=eq.1',
      method: 'DELETE',
      headers: PLANNED,
      status: 204,
      answered: { 'content-range': '*/*' },
    },
    {
      name: 'return the estimated total without a row limit',
      path: '/guessed?limit=2',
      method: 'HEAD',
      headers: ESTIMATED,
      status: 206,
      answered: { 'content-range': '0-1/2000', 'preference-applied': 'count=estimated' },
    },
    {
      name: 'return the estimated total of a function',
      path: '/rpc/buoys_between?first=0&last=9&limit=2',
      headers: ESTIMATED,
      status: 206,
      answered: { 'content-range': '0-1/9' },
    },
    {
      name: 'are omitted with count=none',
      path: '/badges',
      headers: { prefer: 'count=none' },
      answered: { 'content-range': '0-1/*', 'preference-applied': null },
    },
  ])('$name', (scenario) => check(server, scenario));
});

describe('PGRST_DB_MAX_ROWS', () => {
  it.each<Scenario>([
    {
      name: 'limits a read',
      path: '/buoys?order=id',
      json: buoys(1, 2),
      answered: { 'content-range': '0-1/*' },
    },
    { name: 'limits a read with a higher limit', path: '/buoys?order=id&limit=9', json: buoys(1, 2) },
    {
      name: 'allows a smaller range',
      path: '/buoys?order=id',
      headers: { range: '0-0' },
      json: buoys(1, 1),
      answered: { 'content-range': '0-0/*' },
    },
    {
      name: 'allows a limit of 0',
      path: '/buoys?limit=0',
      json: [],
      answered: { 'content-range': '*/*' },
    },
    {
      name: 'does not limit the exact total',
      path: '/buoys?order=id',
      headers: EXACT,
      status: 206,
      json: buoys(1, 2),
      answered: { 'content-range': '0-1/15' },
    },
    {
      name: 'limits embedded rows',
      path: '/calls?select=id,ships(id,calls(id))&id=eq.1',
      json: [{ id: 1, ships: { id: 1, calls: [{ id: 1 }, { id: 2 }] } }],
    },
    {
      name: 'does not limit a to-one embedding',
      path: '/ships?select=id,owners(id)&id=in.(1,2)&order=id',
      json: [
        { id: 1, owners: { id: 1 } },
        { id: 2, owners: { id: 2 } },
      ],
    },
    {
      name: 'limits the rows of a function',
      path: '/rpc/buoys_between?first=0&last=9&order=id',
      json: buoys(1, 2),
    },
    {
      name: 'returns the planned total above it with count=estimated',
      path: '/guessed',
      method: 'HEAD',
      headers: ESTIMATED,
      status: 206,
      answered: { 'content-range': '0-1/2000' },
    },
    {
      name: 'returns the exact total below it with count=estimated',
      path: '/guessed?id=lt.3',
      method: 'HEAD',
      headers: ESTIMATED,
      answered: { 'content-range': '0-1/2' },
    },
    {
      name: 'does not limit inserted rows',
      path: '/badges?select=id',
      method: 'POST',
      headers: { prefer: 'return=representation' },
      body: [{ id: 6 }, { id: 7 }, { id: 8 }],
      status: 201,
      json: [{ id: 6 }, { id: 7 }, { id: 8 }],
    },
    {
      name: 'does not limit updated rows',
      path: '/sailors?select=name&order=name',
      method: 'PATCH',
      headers: { prefer: 'return=representation' },
      body: { age: 1 },
      json: [{ name: 'Ada' }, { name: 'Ben' }, { name: 'Cleo' }],
    },
    {
      name: 'does not limit deleted rows',
      path: '/sailors?select=name&order=name',
      method: 'DELETE',
      headers: { prefer: 'return=representation' },
      json: [{ name: 'Ada' }, { name: 'Ben' }, { name: 'Cleo' }],
    },
  ])('$name', (scenario) => check(cappedServer, scenario));

  it('returns at least the counted rows with count=estimated', async () => {
    await cappedServer.change('create view few as select * from buoys where id > 3 and id * 1 < 100');
    const response = await cappedServer.request('/few', { method: 'HEAD', headers: ESTIMATED });
    const [, total] = /^0-1\/(\d+)$/.exec(response.header('content-range') ?? '') ?? [];
    expect(Number(total)).toBeGreaterThanOrEqual(3);
  });
});
