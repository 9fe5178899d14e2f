import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DataServer, type WireRequest } from '../testing/data-server.ts';

/** A function that raises what is between `raise` and the semicolon. */
const raising = (name: string, what: string) =>
  `create function ${name}() returns void language plpgsql as $f$ begin raise ${what}; end $f$;`;

const BODY = `'{"code": "T1", "message": "Late", "details": "By an hour", "hint": "Wait"}'`;

let server: DataServer;
beforeAll(async () => {
  server = await DataServer.open(
    `create table trains (id int primary key, name text not null unique, track int check (track > 0));
     create table wagons (id int primary key, train_id int references trains);
     insert into trains values (1, 'Comet', 1);
     insert into wagons values (1, 1);
     create table shed (id int primary key);
     revoke all on shed from anon, authenticated;
     create view two_rows as select (select i from generate_series(1, 2) i) as i;
     grant select on two_rows to anon;
     create view stuck as select pg_sleep(30)::text as slept;
     grant select on stuck to anon;
     create table loops (id int primary key);
     alter table loops enable row level security;
     create policy loops on loops using (exists (select from loops));
     create function endless() returns int language sql as 'select 1';
     create or replace function endless() returns int language plpgsql as $f$ begin return endless(); end $f$;
     create function divide(a int, b int) returns int language sql as 'select a / b';
     create function asserted() returns void language plpgsql as $f$ begin assert false, 'never'; end $f$;
     ${raising('refuses', `exception 'I will not' using detail = 'Why not', hint = 'Ask again'`)}
     ${raising('denies', 'insufficient_privilege')}
     ${raising('pays', `sqlstate 'PT402' using message = 'Payment Required', detail = 'No more', hint = 'Pay'`)}
     ${raising('waits', `sqlstate 'PT503' using message = 'Later'`)}
     ${raising('odd_number', `sqlstate 'PT40A' using message = 'Wrong'`)}
     ${raising('answers', `sqlstate 'PGRST' using message = ${BODY}, detail = '{"status": 402, "headers": {"X-Track": "9"}}'`)}
     ${raising('answers_shortly', `sqlstate 'PGRST' using message = '{"code": "T2", "message": "Late"}', detail = '{"status": 332, "status_text": "Very Late", "headers": {}}'`)}
     ${raising('unreadable_message', `sqlstate 'PGRST' using message = 'none', detail = '{"status": 402, "headers": {}}'`)}
     ${raising('unreadable_detail', `sqlstate 'PGRST' using message = ${BODY}, detail = 'none'`)}
     ${raising('no_detail', `sqlstate 'PGRST' using message = ${BODY}`)}`,
    { PGRST_DB_TX_END: 'commit-allow-override' },
  );
});
afterAll(() => server.close());

const json = { 'content-type': 'application/json' };
const send = (method: string, body: unknown): WireRequest => ({ method, headers: json, body });
const signedIn = { claims: { role: 'authenticated' } };

describe('errors of PostgreSQL', () => {
  it.each<[path: string, request: WireRequest, status: number, error: Record<string, unknown>]>([
    [
      '/trains',
      send('POST', { id: 2 }),
      400,
      {
        code: '23502',
        message: 'null value in column "name" of relation "trains" violates not-null constraint',
        details: 'Failing row contains (2, null, null).',
        hint: null,
      },
    ],
    [
      '/trains',
      send('POST', { id: 1, name: 'x' }),
      409,
      {
        code: '23505',
        message: 'duplicate key value violates unique constraint "trains_pkey"',
        details: 'Key (id)=(1) already exists.',
        hint: null,
      },
    ],
    ['/wagons', send('POST', { id: 2, train_id: 7 }), 409, { code: '23503' }],
    ['/trains?id=eq.1', { method: 'DELETE' }, 409, { code: '23503' }],
    ['/trains', send('POST', { id: 2, name: 'x', track: 0 }), 400, { code: '23514' }],
    ['/trains', send('POST', { id: 'two', name: 'x' }), 400, { code: '22P02' }],
    ['/trains?nothing=eq.1', {}, 400, { code: '42703', message: 'column trains.nothing does not exist' }],
    ['/trains?id=like.1', {}, 404, { code: '42883' }],
    [
      '/shed',
      {},
      401,
      { code: '42501', message: 'permission denied for table shed', details: null, hint: null },
    ],
    ['/shed', signedIn, 403, { code: '42501' }],
    ['/two_rows', {}, 500, { code: '21000' }],
    ['/loops', {}, 500, { code: '42P17' }],
    ['/rpc/endless', { method: 'POST' }, 500, { code: '54001' }],
    ['/rpc/divide', send('POST', { a: 1, b: 0 }), 400, { code: '22012' }],
    ['/rpc/asserted', { method: 'POST' }, 500, { code: 'P0004', message: 'never' }],
    [
      '/trains',
      { claims: { role: 'stranger' } },
      401,
      {
        code: '22023',
        message: 'role "stranger" does not exist',
        details: null,
        hint: null,
      },
    ],
  ])('map %s %j to status %i', async (path, request, status, error) => {
    const response = await server.request(path, request);
    expect(response.json).toMatchObject(error);
    expect(Object.keys(response.json as object)).toEqual(['code', 'details', 'hint', 'message']);
    expect(response.status).toBe(status);
    expect(response.header('content-type')).toBe('application/json; charset=utf-8');
    expect(response.header('proxy-status')).toBe(`PostgREST; error=${error.code as string}`);
    expect(response.header('content-length')).toBe(String(Buffer.byteLength(response.text)));
    expect(response.header('www-authenticate')).toBe(status === 401 ? 'Bearer' : null);
  });
});

describe('errors raised by functions', () => {
  it.each<[name: string, status: number, error: Record<string, unknown>]>([
    ['refuses', 400, { code: 'P0001', message: 'I will not', details: 'Why not', hint: 'Ask again' }],
    ['denies', 401, { code: '42501' }],
    ['pays', 402, { code: 'PT402', message: 'Payment Required', details: 'No more', hint: 'Pay' }],
    ['waits', 503, { code: 'PT503', message: 'Later', details: null, hint: null }],
    ['odd_number', 500, { code: 'PT40A', message: 'Wrong' }],
    ['answers', 402, { code: 'T1', message: 'Late', details: 'By an hour', hint: 'Wait' }],
    ['answers_shortly', 332, { code: 'T2', message: 'Late', details: null, hint: null }],
    ['unreadable_message', 500, { code: 'PGRST121' }],
    ['unreadable_detail', 500, { code: 'PGRST121' }],
    ['no_detail', 500, { code: 'PGRST121' }],
  ])('map /rpc/%s to status %i', async (name, status, error) => {
    const response = await server.request(`/rpc/${name}`, { method: 'POST' });
    expect([response.status, response.json]).toMatchObject([status, error]);
    expect(response.header('proxy-status')).toBe(`PostgREST; error=${error.code as string}`);
    expect(response.header('content-type')).toBe('application/json; charset=utf-8');
  });

  it('set response headers and the reason phrase', async () => {
    const response = await server.request('/rpc/answers', { method: 'POST' });
    expect([response.header('x-track'), response.statusText]).toEqual(['9', 'Payment Required']);
    expect((await server.request('/rpc/answers_shortly', { method: 'POST' })).statusText).toBe('Very Late');
    expect((await server.request('/rpc/waits', { method: 'POST' })).statusText).toBe('Later');
  });

  it('are mapped for GET and HEAD', async () => {
    expect((await server.request('/rpc/pays')).status).toBe(402);
    expect((await server.request('/rpc/pays', { method: 'HEAD' })).header('proxy-status')).toBe(
      'PostgREST; error=PT402',
    );
  });

  it('roll the transaction back', async () => {
    const before = await server.request('/trains', { headers: { prefer: 'count=exact' } });
    await server.request(
      '/trains',
      send('POST', [
        { id: 8, name: 'a' },
        { id: 9, name: 'a' },
      ]),
    );
    const after = await server.request('/trains', { headers: { prefer: 'count=exact' } });
    expect(after.header('content-range')).toBe(before.header('content-range'));
  });
});

describe('errors raised by the service', () => {
  it.each<[path: string, request: WireRequest, status: number, code: string]>([
    ['/trains?id=', {}, 400, 'PGRST100'],
    ['/trains?id=what.1', {}, 400, 'PGRST100'],
    ['/trains?select=id,', {}, 400, 'PGRST100'],
    ['/trains?order=id.sideways', {}, 400, 'PGRST100'],
    ['/rpc/pays', { method: 'DELETE' }, 405, 'PGRST101'],
    ['/trains', send('POST', '{'), 400, 'PGRST102'],
    ['/trains', { method: 'POST', headers: json }, 400, 'PGRST102'],
    ['/trains', send('POST', [{ id: 1 }, { name: 'x' }]), 400, 'PGRST102'],
    ['/trains', { headers: { range: '5-1' } }, 416, 'PGRST103'],
    ['/trains?offset=5', { headers: { prefer: 'count=exact' } }, 416, 'PGRST103'],
    ['/trains?id=gt.1', send('PUT', { id: 1, name: 'x' }), 405, 'PGRST105'],
    ['/trains', { headers: { 'accept-profile': 'x' } }, 406, 'PGRST106'],
    ['/trains', { headers: { accept: 'text/unknown' } }, 406, 'PGRST107'],
    ['/trains?wagons.id=eq.1', {}, 400, 'PGRST108'],
    ['/trains?id=eq.1&limit=1', send('PUT', { id: 1, name: 'x' }), 400, 'PGRST114'],
    ['/trains?id=eq.1', send('PUT', { id: 5, name: 'x' }), 400, 'PGRST115'],
    ['/trains?id=eq.5', { headers: { accept: 'application/vnd.pgrst.object+json' } }, 406, 'PGRST116'],
    ['/trains', { method: 'PROPFIND' }, 405, 'PGRST117'],
    ['/trains?select=*,wagons(*)&order=wagons(id)', {}, 400, 'PGRST118'],
    ['/trains', { headers: { prefer: 'handling=strict,anything' } }, 400, 'PGRST122'],
    ['/trains?select=id.max()', {}, 400, 'PGRST123'],
    [
      '/trains?id=gt.0',
      { ...send('PATCH', { track: 2 }), headers: { ...json, prefer: 'handling=strict,max-affected=0' } },
      400,
      'PGRST124',
    ],
    ['/a/b', {}, 404, 'PGRST125'],
    [
      '/rpc/divide',
      { ...send('POST', { a: 1, b: 1 }), headers: { ...json, prefer: 'handling=strict,max-affected=1' } },
      400,
      'PGRST128',
    ],
    ['/trains?select=shed(*)', {}, 400, 'PGRST200'],
    ['/rpc/nowhere', {}, 404, 'PGRST202'],
    ['/trains', { ...send('POST', { id: 5, nmae: 'x' }) }, 400, 'PGRST204'],
    ['/trainz', {}, 404, 'PGRST205'],
    ['/trains', { headers: { authorization: 'Bearer a.b' } }, 401, 'PGRST301'],
    ['/trains', { claims: { role: 'anon', exp: 1 } }, 401, 'PGRST303'],
  ])('report %s %j as %i %s', async (path, request, status, code) => {
    const response = await server.request(path, request);
    expect([response.status, response.json]).toMatchObject([status, { code }]);
    expect(response.header('proxy-status')).toBe(`PostgREST; error=${code}`);
    expect(response.header('content-type')).toBe('application/json; charset=utf-8');
    expect(response.header('content-length')).toBe(String(Buffer.byteLength(response.text)));
  });

  it.each([
    ['/trainz', "Perhaps you meant the table 'public.trains'"],
    ['/traxxx', null],
  ])('suggest a similar table for %s: %s', async (path, hint) => {
    expect(await server.request(path)).toMatchObject({
      json: {
        code: 'PGRST205',
        details: null,
        hint,
        message: `Could not find the table 'public.${path.slice(1)}' in the schema cache`,
      },
    });
  });

  it('are reported in the proxy-status header for HEAD', async () => {
    const response = await server.request('/trainz', { method: 'HEAD' });
    expect([response.status, response.text, response.header('proxy-status')]).toEqual([
      404,
      '',
      'PostgREST; error=PGRST205',
    ]);
  });

  it('state the number of rows for a single-object request', async () => {
    const headers = { accept: 'application/vnd.pgrst.object+json' };
    const { json: error } = await server.request('/trains?id=eq.5', { headers });
    expect(error).toEqual({
      code: 'PGRST116',
      details: 'The result contains 0 rows',
      hint: null,
      message: 'Cannot coerce the result to a single JSON object',
    });
  });
});

describe('a statement timeout', () => {
  it('is reported as 57014 for GET and HEAD', async () => {
    const name = new URL(server.database.url).pathname.slice(1);
    await server.change(`alter role anon in database ${name} set statement_timeout = '200ms'`);
    const headers = { prefer: 'count=exact' };
    const response = await server.request('/stuck', { method: 'HEAD', headers });
    expect([response.status, response.header('proxy-status')]).toEqual([500, 'PostgREST; error=57014']);
    expect((await server.request('/stuck')).json).toMatchObject({ code: '57014' });
  });
});

describe('a server without a schema cache', () => {
  it.each<[method: string, path: string]>([
    ['GET', '/trains'],
    ['HEAD', '/trains'],
    ['POST', '/trains'],
    ['OPTIONS', '/trains'],
    ['POST', '/rpc/anything'],
    ['GET', '/'],
    ['GET', '/nothing/there'],
  ])('responds with 503 to %s %s', async (method, path) => {
    const early = await server.startAnother({}, { wrongUrl: 'postgresql://missing:none@127.0.0.1:1/none' });
    try {
      const response = await early.request(path, { method });
      expect([response.status, response.header('proxy-status'), response.header('retry-after')]).toEqual([
        503,
        'PostgREST; error=PGRST002',
        '1',
      ]);
      if (method === 'HEAD') return;
      expect(response.json).toEqual({
        code: 'PGRST002',
        details: null,
        hint: null,
        message: 'Could not query the database for the schema cache. Retrying.',
      });
    } finally {
      await early.close();
    }
  });
});

describe('minimal error verbosity', () => {
  it('omits details and hint', async () => {
    const terse = await DataServer.open('create table trains (id int)', {
      PGRST_CLIENT_ERROR_VERBOSITY: 'minimal',
    });
    try {
      const response = await terse.request('/trainz');
      expect([response.status, response.json]).toEqual([
        404,
        { code: 'PGRST205', message: "Could not find the table 'public.trainz' in the schema cache" },
      ]);
    } finally {
      await terse.close();
    }
  });
});
