/** The header Prefer: handling, timezone, return, tx, missing and max-affected. */
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DataServer } from '../testing/data-server.ts';
import { check, openHarbour, type Scenario } from './testing/harbour.ts';

let server: DataServer;
beforeAll(async () => {
  server = await openHarbour();
});
afterAll(() => server.close());

describe('handling', () => {
  const refused = (details: RegExp) => ({
    status: 400,
    json: { code: 'PGRST122', details: expect.stringMatching(details), hint: null },
  });
  it.each<Scenario>([
    {
      name: 'rejects unknown preferences if strict',
      path: '/badges',
      headers: { prefer: 'handling=strict, foo, bar' },
      ...refused(/foo, bar$/),
    },
    {
      name: 'rejects an unknown value if strict',
      path: '/badges',
      headers: { prefer: 'handling=strict, return=nothing' },
      ...refused(/return=nothing$/),
    },
    {
      name: 'rejects count=none if strict',
      path: '/badges',
      headers: { prefer: 'handling=strict, count=none' },
      ...refused(/count=none$/),
    },
    {
      name: 'rejects an unknown preference of a write if strict',
      path: '/badges',
      method: 'POST',
      headers: { prefer: 'return=representation, handling=strict, anything' },
      body: { id: 9 },
      ...refused(/anything$/),
    },
    {
      name: 'rejects an unknown preference of a function call if strict',
      path: '/rpc/one',
      method: 'POST',
      headers: { prefer: 'handling=strict, anything' },
      body: {},
      ...refused(/anything$/),
    },
    {
      name: 'accepts known preferences if strict',
      path: '/badges',
      headers: { prefer: 'handling=strict, count=exact' },
      json: [{ id: 1 }, { id: 2 }],
      answered: { 'preference-applied': 'count=exact, handling=strict' },
    },
    {
      name: 'ignores unknown preferences if lenient',
      path: '/badges',
      headers: { prefer: 'handling=lenient, foo, bar' },
      answered: { 'preference-applied': 'handling=lenient' },
    },
    {
      name: 'ignores an unknown preference of a write if lenient',
      path: '/badges',
      method: 'POST',
      headers: { prefer: 'return=representation, handling=lenient, anything' },
      body: { id: 9 },
      status: 201,
      json: [{ id: 9 }],
      answered: { 'preference-applied': 'return=representation, handling=lenient' },
    },
    {
      name: 'ignores an unknown preference of a function call if lenient',
      path: '/rpc/one',
      method: 'POST',
      headers: { prefer: 'handling=lenient, anything' },
      body: {},
      json: 1,
    },
    {
      name: 'ignores unknown preferences by default',
      path: '/badges',
      headers: { prefer: 'anything' },
      answered: { 'preference-applied': null },
    },
  ])('$name', (scenario) => check(server, scenario));

  it('reads Prefer headers that are sent more than once', async () => {
    const headers = { prefer: ['handling=strict', 'something, else'] };
    const response = await new Promise<string>((resolve, reject) => {
      request(`${server.url}/badges`, { headers }, (response) => text(response).then(resolve, reject))
        .on('error', reject)
        .end();
    });
    expect(JSON.parse(response)).toMatchObject({
      code: 'PGRST122',
      details: expect.stringContaining('something, else'),
    });
  });
});

describe('timezone', () => {
  it.each<Scenario>([
    {
      name: 'formats timestamps in a named time zone',
      path: '/tides',
      headers: { prefer: 'timezone=America/Los_Angeles' },
      json: [{ t: '2024-06-01T05:00:00.5-07:00' }, { t: '2024-06-01T11:30:00-07:00' }],
      answered: { 'preference-applied': 'timezone=America/Los_Angeles' },
    },
    {
      name: 'formats timestamps in a named time zone if strict',
      path: '/tides',
      headers: { prefer: 'handling=strict, timezone=America/Los_Angeles' },
      json: [{ t: '2024-06-01T05:00:00.5-07:00' }, { t: '2024-06-01T11:30:00-07:00' }],
      answered: { 'preference-applied': 'handling=strict, timezone=America/Los_Angeles' },
    },
    {
      name: 'formats timestamps with an offset',
      path: '/tides?limit=1',
      headers: { prefer: 'timezone=05:30' },
      json: [{ t: expect.stringMatching(/^2024-06-01T.*[+-]05:30$/) }],
      answered: { 'preference-applied': 'timezone=05:30' },
    },
    {
      name: 'formats timestamps with a negative offset',
      path: '/tides?limit=1',
      headers: { prefer: 'timezone=-03:00' },
      json: [{ t: expect.stringMatching(/[+-]03:00$/) }],
    },
    {
      name: 'applies to written timestamps',
      path: '/tides',
      method: 'POST',
      headers: { prefer: 'timezone=Asia/Tokyo, return=representation' },
      body: { t: '2024-06-02T00:00:00' },
      status: 201,
      json: [{ t: '2024-06-02T00:00:00+09:00' }],
    },
    {
      name: 'rejects an unknown time zone',
      path: '/tides',
      headers: { prefer: 'timezone=Jupiter/Red_Spot' },
      status: 400,
      json: {
        code: '22023',
        message: 'invalid value for parameter "TimeZone": "Jupiter/Red_Spot"',
        details: null,
        hint: null,
      },
    },
    {
      name: 'rejects an unknown time zone if lenient',
      path: '/tides',
      headers: { prefer: 'handling=lenient, timezone=Jupiter/Red_Spot' },
      status: 400,
      json: { code: '22023' },
    },
    {
      name: 'rejects an unknown time zone if strict',
      path: '/tides',
      headers: { prefer: 'handling=strict, timezone=Jupiter/Red_Spot' },
      status: 400,
      json: { code: '22023' },
    },
  ])('$name', (scenario) => check(server, scenario));
});

describe('tx', () => {
  const path = '/badges?id=eq.33';
  const post = (tx: string, applied: string) =>
    check(server, {
      path: '/badges',
      method: 'POST',
      headers: { prefer: `${tx}return=representation` },
      body: { id: 33 },
      status: 201,
      json: [{ id: 33 }],
      answered: { 'preference-applied': applied },
    });

  it('commits or rolls back a write', async () => {
    await post('tx=rollback, ', 'return=representation, tx=rollback');
    expect((await server.request(path)).json).toEqual([]);
    await post('', 'return=representation');
    expect((await server.request(path)).json).toEqual([]);
    await post('tx=commit, ', 'return=representation, tx=commit');
    expect((await server.request(path)).json).toEqual([{ id: 33 }]);
    await check(server, { path, method: 'DELETE', headers: { prefer: 'tx=commit' }, status: 204 });
  });

  it.each<Scenario>([
    {
      name: 'a read',
      path: '/badges',
      headers: { prefer: 'tx=rollback' },
      answered: { 'preference-applied': 'tx=rollback' },
    },
    {
      name: 'HEAD',
      path: '/badges',
      method: 'HEAD',
      headers: { prefer: 'tx=commit' },
      answered: { 'preference-applied': 'tx=commit' },
    },
    {
      name: 'a function call',
      path: '/rpc/all_ships',
      method: 'POST',
      headers: { prefer: 'tx=commit' },
      body: {},
      answered: { 'preference-applied': 'tx=commit' },
    },
  ])('is confirmed for $name', (scenario) => check(server, scenario));

  it.each(['', 'tx=commit', 'tx=rollback'])(
    'does not change the error of a violated constraint: %s',
    async (prefer) => {
      const call = { path: '/rpc/moor_twice', method: 'POST', headers: { prefer }, status: 409 };
      const json = { code: '23505', details: 'Key (place)=(1) already exists.', hint: null };
      const answered = { 'preference-applied': null };
      await check(server, { ...call, body: {}, json, answered });
      await check(server, { ...call, body: { at_the_end: true }, json, answered });
      expect((await server.request('/moorings')).json).toEqual([{ id: 1, place: 1 }]);
    },
  );

  it.each([
    ['commit', false],
    ['rollback', true],
  ])('is ignored with PGRST_DB_TX_END=%s', async (txEnd, isUndone) => {
    const own = await openHarbour({ PGRST_DB_TX_END: txEnd });
    const prefer = isUndone ? 'tx=commit' : 'tx=rollback';
    try {
      await check(own, {
        path: '/badges',
        method: 'POST',
        headers: { prefer },
        body: { id: 33 },
        status: 201,
        answered: { 'preference-applied': null },
      });
      expect((await own.request(path)).json).toEqual(isUndone ? [] : [{ id: 33 }]);
      await check(own, { path: '/badges', headers: { prefer: `handling=strict, ${prefer}` } });
    } finally {
      await own.close();
    }
  });
});

describe('missing', () => {
  const rows = [{ name: 'Di' }, { name: 'Ed', age: 15 }];
  const path = '/sailors?columns=name,age&select=name,age';
  it.each<Scenario>([
    {
      name: 'inserts the column default for missing=default',
      path,
      headers: { prefer: 'missing=default, return=representation' },
      body: rows,
      json: [
        { name: 'Di', age: 18 },
        { name: 'Ed', age: 15 },
      ],
      answered: { 'preference-applied': 'missing=default, return=representation' },
    },
    {
      name: 'inserts null for missing=null',
      path,
      headers: { prefer: 'missing=null, return=representation' },
      body: rows,
      json: [
        { name: 'Di', age: null },
        { name: 'Ed', age: 15 },
      ],
      answered: { 'preference-applied': 'missing=null, return=representation' },
    },
    {
      name: 'inserts null by default',
      path,
      headers: { prefer: 'return=representation' },
      body: rows,
      json: [
        { name: 'Di', age: null },
        { name: 'Ed', age: 15 },
      ],
      answered: { 'preference-applied': 'return=representation' },
    },
  ])('$name', (scenario) => check(server, { method: 'POST', status: 201, ...scenario }));
});

describe('max-affected', () => {
  const refused = (rows: number) => ({
    status: 400,
    json: { code: 'PGRST124', details: expect.stringContaining(String(rows)), hint: null },
  });
  const strict = (rows: number) => ({ prefer: `handling=strict, max-affected=${rows}` });
  const lenient = (rows: number) => ({ prefer: `handling=lenient, max-affected=${rows}` });
  const applied = (rows: number) => ({ 'preference-applied': `handling=strict, max-affected=${rows}` });

  it.each<Scenario>([
    {
      name: 'rejects a delete of more rows',
      path: '/buoys?id=lt.15',
      method: 'DELETE',
      headers: strict(10),
      ...refused(14),
    },
    {
      name: 'accepts a delete of fewer rows',
      path: '/buoys?id=lt.10',
      method: 'DELETE',
      headers: strict(10),
      status: 204,
      answered: applied(10),
    },
    {
      name: 'accepts a delete of exactly as many rows',
      path: '/buoys?id=lt.11',
      method: 'DELETE',
      headers: strict(10),
      status: 204,
      answered: applied(10),
    },
    {
      name: 'rejects an update of one row with max-affected=0',
      path: '/flags?code=eq.NO',
      method: 'PATCH',
      headers: strict(0),
      body: { place: 2 },
      ...refused(1),
    },
    {
      name: 'accepts an update of one row with max-affected=1',
      path: '/flags?code=eq.NO',
      method: 'PATCH',
      headers: strict(1),
      body: { place: 2 },
      status: 204,
      answered: applied(1),
    },
    {
      name: 'is ignored for a delete if lenient',
      path: '/buoys?id=lt.15',
      method: 'DELETE',
      headers: lenient(10),
      status: 204,
      answered: { 'preference-applied': 'handling=lenient' },
    },
    {
      name: 'is ignored for an update if lenient',
      path: '/flags?code=eq.NO',
      method: 'PATCH',
      headers: lenient(0),
      body: { place: 2 },
      status: 204,
      answered: { 'preference-applied': 'handling=lenient' },
    },
    {
      name: 'is ignored without handling=strict',
      path: '/buoys?id=lt.15',
      method: 'DELETE',
      headers: { prefer: 'max-affected=10' },
      status: 204,
      answered: { 'preference-applied': null },
    },
    {
      name: 'is ignored for an insert',
      path: '/badges',
      method: 'POST',
      headers: strict(0),
      body: { id: 9 },
      status: 201,
      answered: { 'preference-applied': 'handling=strict' },
    },
    {
      name: 'rejects a function that deletes more rows',
      path: '/rpc/sink_buoys',
      method: 'POST',
      headers: strict(10),
      body: {},
      ...refused(15),
    },
    {
      name: 'rejects a function that returns a table with more rows',
      path: '/rpc/sink_to_table',
      method: 'POST',
      headers: strict(10),
      body: {},
      ...refused(15),
    },
    {
      name: 'accepts a function that deletes fewer rows',
      path: '/rpc/sink_buoys?select=id&limit=1',
      method: 'POST',
      headers: strict(20),
      body: {},
      json: [{ id: 1 }],
      answered: applied(20),
    },
    {
      name: 'accepts a function that returns a table with fewer rows',
      path: '/rpc/sink_to_table?limit=1',
      method: 'POST',
      headers: strict(20),
      body: {},
      json: [{ id: 1 }],
    },
    {
      name: 'rejects a function that returns nothing',
      path: '/rpc/sink_silently',
      method: 'POST',
      headers: strict(20),
      body: {},
      status: 400,
      json: { code: 'PGRST128', hint: null },
    },
    {
      name: 'rejects a function that returns a value',
      path: '/rpc/one',
      method: 'POST',
      headers: strict(20),
      body: {},
      status: 400,
      json: { code: 'PGRST128' },
    },
    {
      name: 'accepts a function that returns nothing if lenient',
      path: '/rpc/sink_silently',
      method: 'POST',
      headers: lenient(20),
      body: {},
      status: 204,
    },
  ])('$name', (scenario) => check(server, scenario));
});
