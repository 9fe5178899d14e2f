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
      name: 'nothing',
      path: '/buoys?order=id',
      json: buoys(1, 15),
      answered: { 'content-range': '0-14/*', 'preference-applied': null },
    },
    {
      name: 'both',
      path: '/buoys?order=id&limit=3&offset=2',
      json: buoys(3, 5),
      answered: { 'content-range': '2-4/*' },
    },
    {
      name: 'both, by HEAD',
      path: '/buoys?order=id&limit=3&offset=2',
      method: 'HEAD',
      text: '',
      answered: { 'content-range': '2-4/*', 'content-type': 'application/json; charset=utf-8' },
    },
    {
      name: 'a limit',
      path: '/buoys?order=id&limit=3',
      json: buoys(1, 3),
      answered: { 'content-range': '0-2/*' },
    },
    {
      name: 'an offset',
      path: '/buoys?order=id&offset=10',
      json: buoys(11, 15),
      answered: { 'content-range': '10-14/*' },
    },
    {
      name: 'an offset of 0',
      path: '/buoys?offset=0&id=eq.0',
      json: [],
      answered: { 'content-range': '*/*' },
    },
    {
      name: 'an offset of 0, counted',
      path: '/buoys?offset=0&id=eq.0',
      headers: EXACT,
      json: [],
      answered: { 'content-range': '*/0' },
    },
    {
      name: 'a negative offset',
      path: '/buoys?order=id&offset=-4',
      json: buoys(1, 15),
      answered: { 'content-range': '0-14/*' },
    },
    { name: 'a limit of 0', path: '/buoys?limit=0', json: [], answered: { 'content-range': '*/*' } },
    {
      name: 'a limit of 0, counted',
      path: '/buoys?limit=0',
      headers: EXACT,
      status: 206,
      json: [],
      answered: { 'content-range': '*/15' },
    },
    {
      name: 'an offset behind the end',
      path: '/buoys?offset=100',
      json: [],
      answered: { 'content-range': '*/*' },
    },
    { name: 'what is no number', path: '/buoys?order=id&limit=many&offset=x', json: buoys(1, 15) },
    {
      name: 'limits on all levels',
      path: '/owners?select=id,ships(id,calls(id))&order=id&limit=1&ships.order=id&ships.limit=1&ships.calls.order=id.desc&ships.calls.limit=1',
      json: [{ id: 1, ships: [{ id: 1, calls: [{ id: 2 }] }] }],
    },
    {
      name: 'an offset of embedded rows',
      path: '/owners?select=id,ships(id)&id=eq.1&ships.order=id&ships.offset=1',
      json: [{ id: 1, ships: [{ id: 3 }] }],
    },
    {
      name: 'an offset of the one row that something belongs to',
      path: '/ships?select=id,owners(id)&id=eq.1&owners.offset=1',
      json: [{ id: 1, owners: null }],
    },
    {
      name: 'of a function',
      path: '/rpc/buoys_between?first=0&last=9&limit=2&offset=1&order=id',
      json: buoys(2, 3),
      answered: { 'content-range': '1-2/*' },
    },
    {
      name: 'of a function by POST',
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
      name: 'from one to another',
      path: '/buoys?order=id',
      headers: range('0-1'),
      json: buoys(1, 2),
      answered: { 'content-range': '0-1/*' },
    },
    {
      name: 'one',
      path: '/buoys?order=id',
      headers: range('0-0'),
      json: buoys(1, 1),
      answered: { 'content-range': '0-0/*' },
    },
    {
      name: 'without an end',
      path: '/buoys?order=id',
      headers: range('10-'),
      json: buoys(11, 15),
      answered: { 'content-range': '10-14/*' },
    },
    { name: 'all', path: '/buoys?order=id', headers: range('0-'), json: buoys(1, 15) },
    {
      name: 'more than there are',
      path: '/buoys?order=id',
      headers: range('10-100'),
      json: buoys(11, 15),
      answered: { 'content-range': '10-14/*' },
    },
    {
      name: 'of nothing',
      path: '/empty_slips',
      headers: range('0-1'),
      json: [],
      answered: { 'content-range': '*/*' },
    },
    {
      name: 'counted',
      path: '/buoys?order=id',
      headers: range('0-1', 'count=exact'),
      status: 206,
      json: buoys(1, 2),
      answered: { 'content-range': '0-1/15' },
    },
    {
      name: 'all, counted',
      path: '/buoys?order=id',
      headers: range('0-14', 'count=exact'),
      json: buoys(1, 15),
      answered: { 'content-range': '0-14/15' },
    },
    {
      name: 'within a limit',
      path: '/buoys?order=id&limit=3',
      headers: range('0-1'),
      json: buoys(1, 2),
      answered: { 'content-range': '0-1/*' },
    },
    {
      name: 'beyond a limit',
      path: '/buoys?order=id&limit=3',
      headers: range('2-9'),
      json: buoys(3, 3),
      answered: { 'content-range': '2-2/*' },
    },
    {
      name: 'with a unit in it',
      path: '/badges?order=id',
      headers: { range: 'items=0-0' },
      json: [{ id: 1 }, { id: 2 }],
    },
    {
      name: 'by HEAD',
      path: '/buoys',
      method: 'HEAD',
      headers: range('0-1'),
      text: '',
      answered: { 'content-range': '0-14/*' },
    },
    {
      name: 'of a function',
      path: '/rpc/buoys_between?first=0&last=9',
      headers: range('1-2'),
      json: buoys(2, 3),
      answered: { 'content-range': '1-2/*' },
    },
    {
      name: 'of a function by POST',
      path: '/rpc/buoys_between',
      method: 'POST',
      body: { first: 0, last: 2 },
      headers: range('1-2'),
      json: buoys(1, 2),
    },
  ])('$name', (scenario) => check(server, scenario));
});

describe('ranges that cannot be', () => {
  it.each<Scenario>([
    { name: 'a negative limit', path: '/buoys?limit=-1', answered: {} },
    {
      name: 'a negative limit of embedded rows',
      path: '/owners?select=id,ships(id)&ships.limit=-1',
      answered: {},
    },
    { name: 'an end before the beginning', path: '/buoys', headers: { range: '1-0' }, answered: {} },
    {
      name: 'an end before the beginning, of a function',
      path: '/rpc/all_ships',
      headers: { range: '1-0' },
      answered: {},
    },
    { name: 'nothing in common', path: '/buoys?limit=2', headers: { range: '5-6' }, answered: {} },
    {
      name: 'an offset where there is nothing',
      path: '/empty_slips?offset=1',
      headers: EXACT,
      answered: { 'content-range': '*/0' },
    },
    {
      name: 'an offset behind the end',
      path: '/buoys?offset=100',
      headers: EXACT,
      answered: { 'content-range': '*/15' },
    },
    {
      name: 'a range where there is nothing',
      path: '/empty_slips',
      headers: { range: '1-2', ...EXACT },
      answered: { 'content-range': '*/0' },
    },
    {
      name: 'a range behind the end',
      path: '/buoys',
      headers: { range: '100-199', ...EXACT },
      answered: { 'content-range': '*/15' },
    },
    {
      name: 'a range behind the end of a function',
      path: '/rpc/buoys_between?first=0&last=15',
      headers: { range: '100-199', ...EXACT },
      answered: { 'content-range': '*/15' },
    },
  ])('$name', (scenario) =>
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

  it('an offset at the end is fine', () =>
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
      name: 'exact',
      path: '/soundings',
      method: 'HEAD',
      headers: { prefer: 'count=exact' },
      answered: { 'content-range': '0-2999/3000', 'preference-applied': 'count=exact' },
    },
    {
      name: 'exact, limited',
      path: '/soundings?limit=25',
      method: 'HEAD',
      headers: EXACT,
      status: 206,
      answered: { 'content-range': '0-24/3000' },
    },
    {
      name: 'exact, filtered',
      path: '/buoys?select=id&id=gt.8&limit=1',
      headers: EXACT,
      status: 206,
      json: [{ id: 9 }],
      answered: { 'content-range': '0-0/7' },
    },
    {
      name: 'exact, with what has to be there',
      path: '/owners?select=id,ships!inner(id)&ships.flag=eq.NO',
      headers: EXACT,
      json: [{ id: 1, ships: [{ id: 1 }, { id: 3 }] }],
      answered: { 'content-range': '0-0/1' },
    },
    {
      name: 'exact, with nothing that belongs to them',
      path: '/owners?select=id,ships()&ships=is.null',
      headers: EXACT,
      json: [{ id: 3 }],
      answered: { 'content-range': '0-0/1' },
    },
    {
      name: 'exact, limited, with what belongs to them or not',
      path: '/owners?select=id,ships()&or=(ships.is.null,id.eq.1)&order=id&limit=1',
      headers: EXACT,
      status: 206,
      json: [{ id: 1 }],
      answered: { 'content-range': '0-0/2' },
    },
    {
      name: 'exact, of nothing',
      path: '/buoys?id=eq.0',
      headers: EXACT,
      json: [],
      answered: { 'content-range': '*/0' },
    },
    {
      name: 'exact, of a view',
      path: '/working_ships?limit=1',
      headers: EXACT,
      status: 206,
      answered: { 'content-range': '0-0/4' },
    },
    {
      name: 'exact, of a function',
      path: '/rpc/buoys_between?first=0&last=9&limit=2',
      headers: EXACT,
      status: 206,
      answered: { 'content-range': '0-1/9' },
    },
    {
      name: 'exact, of a value',
      path: '/rpc/one',
      headers: EXACT,
      json: 1,
      answered: { 'content-range': '0-0/1' },
    },
    {
      name: 'exact, twice',
      path: '/buoys?limit=1',
      headers: { prefer: 'count=exact, count=planned' },
      status: 206,
      answered: { 'content-range': '0-0/15', 'preference-applied': 'count=exact' },
    },
    {
      name: 'planned',
      path: '/buoys',
      method: 'HEAD',
      headers: PLANNED,
      answered: { 'content-range': '0-14/15', 'preference-applied': 'count=planned' },
    },
    {
      name: 'planned, limited',
      path: '/soundings?limit=25',
      method: 'HEAD',
      headers: PLANNED,
      status: 206,
      answered: { 'content-range': '0-24/3000' },
    },
    {
      name: 'planned, limited and with an offset',
      path: '/buoys?limit=2&offset=3',
      method: 'HEAD',
      headers: PLANNED,
      status: 206,
      answered: { 'content-range': '3-4/15' },
    },
    {
      name: 'planned, of a view',
      path: '/guessed?limit=2',
      method: 'HEAD',
      headers: PLANNED,
      status: 206,
      answered: { 'content-range': '0-1/2000' },
    },
    {
      name: 'planned, of a function',
      path: '/rpc/buoys_between?first=0&last=9',
      headers: PLANNED,
      answered: { 'content-range': '0-8/*' },
    },
    {
      name: 'planned, of a write',
      path: '/buoys?id=eq.1',
      method: 'DELETE',
      headers: PLANNED,
      status: 204,
      answered: { 'content-range': '*/*' },
    },
    {
      name: 'estimated without a cap',
      path: '/guessed?limit=2',
      method: 'HEAD',
      headers: ESTIMATED,
      status: 206,
      answered: { 'content-range': '0-1/2000', 'preference-applied': 'count=estimated' },
    },
    {
      name: 'estimated, of a function',
      path: '/rpc/buoys_between?first=0&last=9&limit=2',
      headers: ESTIMATED,
      status: 206,
      answered: { 'content-range': '0-1/9' },
    },
    {
      name: 'none',
      path: '/badges',
      headers: { prefer: 'count=none' },
      answered: { 'content-range': '0-1/*', 'preference-applied': null },
    },
  ])('$name', (scenario) => check(server, scenario));
});

describe('a cap on rows', () => {
  it.each<Scenario>([
    { name: 'holds', path: '/buoys?order=id', json: buoys(1, 2), answered: { 'content-range': '0-1/*' } },
    { name: 'holds for more than it', path: '/buoys?order=id&limit=9', json: buoys(1, 2) },
    {
      name: 'lets less be asked for',
      path: '/buoys?order=id',
      headers: { range: '0-0' },
      json: buoys(1, 1),
      answered: { 'content-range': '0-0/*' },
    },
    {
      name: 'lets nothing be asked for',
      path: '/buoys?limit=0',
      json: [],
      answered: { 'content-range': '*/*' },
    },
    {
      name: 'is told by an exact count',
      path: '/buoys?order=id',
      headers: EXACT,
      status: 206,
      json: buoys(1, 2),
      answered: { 'content-range': '0-1/15' },
    },
    {
      name: 'holds for embedded rows',
      path: '/calls?select=id,ships(id,calls(id))&id=eq.1',
      json: [{ id: 1, ships: { id: 1, calls: [{ id: 1 }, { id: 2 }] } }],
    },
    {
      name: 'does not hold for what rows belong to',
      path: '/ships?select=id,owners(id)&id=in.(1,2)&order=id',
      json: [
        { id: 1, owners: { id: 1 } },
        { id: 2, owners: { id: 2 } },
      ],
    },
    { name: 'holds for functions', path: '/rpc/buoys_between?first=0&last=9&order=id', json: buoys(1, 2) },
    {
      name: 'is where estimates begin',
      path: '/guessed',
      method: 'HEAD',
      headers: ESTIMATED,
      status: 206,
      answered: { 'content-range': '0-1/2000' },
    },
    {
      name: 'is where estimates begin, and counts end',
      path: '/guessed?id=lt.3',
      method: 'HEAD',
      headers: ESTIMATED,
      answered: { 'content-range': '0-1/2' },
    },
    {
      name: 'does not hold for inserts',
      path: '/badges?select=id',
      method: 'POST',
      headers: { prefer: 'return=representation' },
      body: [{ id: 6 }, { id: 7 }, { id: 8 }],
      status: 201,
      json: [{ id: 6 }, { id: 7 }, { id: 8 }],
    },
    {
      name: 'does not hold for updates',
      path: '/sailors?select=name&order=name',
      method: 'PATCH',
      headers: { prefer: 'return=representation' },
      body: { age: 1 },
      json: [{ name: 'Ada' }, { name: 'Ben' }, { name: 'Cleo' }],
    },
    {
      name: 'does not hold for deletes',
      path: '/sailors?select=name&order=name',
      method: 'DELETE',
      headers: { prefer: 'return=representation' },
      json: [{ name: 'Ada' }, { name: 'Ben' }, { name: 'Cleo' }],
    },
  ])('$name', (scenario) => check(cappedServer, scenario));

  it('is where estimates begin, unless more were counted', async () => {
    await cappedServer.change('create view few as select * from buoys where id > 3 and id * 1 < 100');
    const answer = await cappedServer.ask('/few', { method: 'HEAD', headers: ESTIMATED });
    const [, total] = /^0-1\/(\d+)$/.exec(answer.header('content-range') ?? '') ?? [];
    expect(Number(total)).toBeGreaterThanOrEqual(3);
  });
});
