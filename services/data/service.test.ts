import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DataServer, type WireRequest } from './testing/data-server.ts';

let server: DataServer;
beforeAll(async () => {
  server = await DataServer.open(
    `create schema archive;
     grant usage on schema archive to anon, authenticated;
     create table directors (id int primary key, name text not null);
     create table films (id int primary key, title text not null, year int, director_id int references directors);
     create table archive.reels (id int primary key);
     create table hidden (id int primary key);
     create table own (id int primary key, owner uuid);
     revoke all on hidden from anon, authenticated;
     alter table own enable row level security;
     create policy own on own for select to authenticated using (owner = auth.uid());
     grant all on archive.reels to anon;
     insert into directors values (1, 'Agnes'), (2, 'Yasujiro');
     insert into films values (1, 'Cléo', 1962, 1), (2, 'Late Spring', 1949, 2), (3, 'Unnamed', null, null);
     insert into own values (1, '00000000-0000-4000-8000-000000000001'), (2, '00000000-0000-4000-8000-000000000002');
     create table many as select i as id, repeat('x', 100) as text from generate_series(1, 20000) as i;
     grant select on many to anon;
     create view huge as select repeat('x', 1000) as text from generate_series(1, 40000);
     grant select on huge to anon;
     create view slow as select pg_sleep(100)::text as slept;
     grant select on slow to anon;
     create view wishes as
       select set_config('response.headers', '[{"X-Wish": "one"}, {"Content-Location": "/here"}]', true) as headers,
         set_config('response.status', '203', true) as status;
     create view seen as
       select current_user::text as role, current_setting('request.method') as method,
         current_setting('request.path') as path, current_setting('request.headers')::json as headers,
         current_setting('request.cookies')::json as cookies, current_setting('request.jwt.claims')::json as claims,
         current_setting('search_path') as search_path, current_setting('timezone') as timezone,
         current_setting('app.settings.site', true) as site;
     grant select on seen, wishes to anon, authenticated;
     alter view seen set (security_invoker = true)`,
    {
      PGRST_DB_SCHEMAS: 'public,archive',
      PGRST_DB_EXTRA_SEARCH_PATH: 'extensions',
      PGRST_DB_PLAN_ENABLED: 'true',
      PGRST_APP_SETTINGS_SITE: 'greenroom',
    },
  );
});
afterAll(() => server.close());

const errorCode = async (path: string, request?: WireRequest) => {
  const { status, json } = await server.request(path, request);
  return [status, (json as { code: string }).code];
};

describe('reading', () => {
  it('returns rows with their media type, schema and range', async () => {
    const response = await server.request('/films?select=id,directors(name)&year=gt.1900&order=id');
    expect(response.json).toEqual([
      { id: 1, directors: { name: 'Agnes' } },
      { id: 2, directors: { name: 'Yasujiro' } },
    ]);
    expect(response.status).toBe(200);
    expect(response.header('content-type')).toBe('application/json; charset=utf-8');
    expect(response.header('content-range')).toBe('0-1/*');
    expect(response.header('content-location')).toBe(
      '/films?order=id&select=id%2Cdirectors%28name%29&year=gt.1900',
    );
    expect(response.header('vary')).toBe('Accept, Prefer, Range');
    expect(response.header('content-profile')).toBe('public');
  });

  it('binds the values of each request to the plan of its shape', async () => {
    for (const id of [1, 2, 3, 1]) {
      const { json } = await server.request(`/films?id=eq.${id}&select=id&limit=${id}`);
      expect(json).toEqual([{ id }]);
    }
    expect((await server.request('/films?select=id&order=id&limit=2&offset=2')).json).toEqual([{ id: 3 }]);
    expect((await server.request('/films?select=id&order=id&limit=1&offset=1')).json).toEqual([{ id: 2 }]);
    expect((await server.request('/films?select=id&order=id', { headers: { range: '1-1' } })).json).toEqual([
      { id: 2 },
    ]);
  });

  it.each<[name: string, path: string, request: WireRequest, status: number, range: string]>([
    ['an exact count', '/films?limit=1', { headers: { prefer: 'count=exact' } }, 206, '0-0/3'],
    ['an exact count of all rows', '/films', { headers: { prefer: 'count=exact' } }, 200, '0-2/3'],
    [
      'an estimated count without a row limit',
      '/films?limit=1',
      { headers: { prefer: 'count=estimated' } },
      206,
      '0-0/1130',
    ],
    ['no rows', '/films?id=eq.9', {}, 200, '*/*'],
    ['an exact count without rows', '/films?id=eq.9', { headers: { prefer: 'count=exact' } }, 200, '*/0'],
    ['a range', '/films', { headers: { range: '1-' } }, 200, '1-2/*'],
    ['HEAD', '/films?limit=2', { method: 'HEAD', headers: { prefer: 'count=exact' } }, 206, '0-1/3'],
  ])('returns the Content-Range for %s', async (_name, path, request, status, range) => {
    const response = await server.request(path, request);
    expect([response.status, response.header('content-range')]).toEqual([status, range]);
    expect(response.header('preference-applied')).toBe(request.headers?.prefer ?? null);
    if (request.method === 'HEAD') expect(response.text).toBe('');
  });

  it("returns the planner's estimate for count=planned", async () => {
    await server.database.admin.query({ text: 'analyze films' });
    const response = await server.request('/films?limit=1', { headers: { prefer: 'count=planned' } });
    expect([response.status, response.header('content-range')]).toEqual([206, '0-0/3']);
  });

  it('returns a single object, or PGRST116 if there is none', async () => {
    const headers = { accept: 'application/vnd.pgrst.object+json' };
    const one = await server.request('/films?id=eq.1&select=id', { headers });
    expect(one.json).toEqual({ id: 1 });
    expect(one.header('content-type')).toBe('application/vnd.pgrst.object+json; charset=utf-8');
    const none = await server.request('/films?id=eq.9', { headers });
    expect(none.status).toBe(406);
    expect(none.json).toMatchObject({ code: 'PGRST116', details: 'The result contains 0 rows' });
  });

  it('returns the execution plan', async () => {
    const headers = { accept: 'application/vnd.pgrst.plan+json; options=analyze' };
    const response = await server.request('/films?id=eq.1', { headers });
    expect(response.json).toMatchObject([{ Plan: { 'Actual Rows': 1 } }]);
    expect(response.header('content-type')).toBe(
      'application/vnd.pgrst.plan+json; for="application/json"; options=analyze; charset=utf-8',
    );
    expect(
      (await server.request('/films', { headers: { accept: 'application/vnd.pgrst.plan' } })).text,
    ).toContain('Aggregate');
  });

  it('returns a large response', async () => {
    const response = await server.request('/many?select=id,text&limit=20000');
    expect(Number(response.header('content-length'))).toBe(Buffer.byteLength(response.text));
    expect(response.text.length).toBeGreaterThan(2_000_000);
    const rows = response.json as { id: number }[];
    expect(rows.map(({ id }) => id)).toEqual(Array.from({ length: 20_000 }, (_, index) => index + 1));
  });

  it('releases the connection of a large response that is rejected or not received', async () => {
    const headers = { accept: 'application/vnd.pgrst.object+json' };
    for (let i = 0; i < 12; i += 1) expect(await errorCode('/many', { headers })).toEqual([406, 'PGRST116']);
    const disconnects = Array.from({ length: 12 }, async () => {
      const pending = request(`${server.url}/many?select=*,again:text&limit=20000`).end();
      await once(pending, 'response');
      pending.destroy();
    });
    await Promise.all(disconnects);
    expect((await server.request('/films?id=eq.1')).status).toBe(200);
    const busy = {
      text: "select from pg_stat_activity where application_name = 'greenroom data' and state <> 'idle'",
    };
    await expect.poll(() => server.database.admin.query(busy)).toEqual([]);
  });

  it('closes the connection that has read the schema, whose backend has large caches', async () => {
    const open = { text: "select from pg_stat_activity where application_name = 'greenroom data catalog'" };
    await expect.poll(() => server.database.admin.query(open), { timeout: 20_000 }).toEqual([]);
  });

  it('rejects a body that is too large', async () => {
    const body = Buffer.alloc(16 * 1024 * 1024 + 1, ' ');
    const refused = await server.request('/films', { method: 'POST', body });
    expect([refused.status, refused.json]).toMatchObject([
      413,
      { code: 'PGRST102', message: 'The body has more than 16777216 bytes' },
    ]);
  });

  it('processes large bodies one after the other with their own contents', async () => {
    const request = (round: number) => {
      const rows = Array.from({ length: 2000 }, (_, n) => ({
        id: 10_000 * (round + 1) + n,
        title: `${round}`,
      }));
      return { method: 'POST', headers: { prefer: 'return=representation' }, body: rows };
    };
    const responses = await Promise.all(
      [0, 1, 2, 3].map((round) => server.request('/films?select=title', request(round))),
    );
    for (const [round, { status, json }] of responses.entries()) {
      expect([status, json]).toEqual([201, Array.from({ length: 2000 }, () => ({ title: `${round}` }))]);
    }
    await server.request('/films?id=gte.10000', { method: 'DELETE' });
  });

  it('holds no connection for a client that receives slowly', async () => {
    const other = await server.startAnother({ PGRST_DB_POOL: '1' });
    const socket = connect(Number(new URL(other.url).port), '127.0.0.1');
    try {
      socket.pause();
      socket.write(`GET /rest/v1/huge HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`);
      await once(socket, 'readable');
      expect((await other.request('/films?select=id&id=eq.1')).status).toBe(200);
      // And nothing of it is lost.
      let received = 0;
      for await (const piece of socket) received += (piece as Buffer).length;
      expect(received).toBeGreaterThan(40_000_000);
    } finally {
      socket.destroy();
      await other.close();
    }
  });

  it('cancels the statement when the client disconnects', async () => {
    const pending = fetch(`${server.url}/slow`, { signal: AbortSignal.timeout(300) });
    await expect(pending).rejects.toThrow();
    const sleeping = {
      text: "select from pg_stat_activity where application_name = 'greenroom data' and state = 'active'",
    };
    await expect.poll(() => server.database.admin.query(sleeping)).toEqual([]);
  });

  it('returns the status and headers that functions set', async () => {
    const response = await server.request('/wishes');
    expect([response.status, response.header('x-wish'), response.header('content-location')]).toEqual([
      203,
      'one',
      '/here',
    ]);
  });

  it('warns about an embed with an alias that is referenced by its relation', async () => {
    const response = await server.request(
      '/films?select=id,by:directors(name)&directors.name=eq.Agnes&id=eq.1',
    );
    expect(response.json).toEqual([{ id: 1, by: { name: 'Agnes' } }]);
    expect(response.header('warning')).toMatch(
      /^299 - "Embedded resource .* Update `directors` to `by` in .*"$/,
    );
  });
});

describe('the caller', () => {
  const one = '00000000-0000-4000-8000-000000000001';

  it('is anonymous without a token', async () => {
    const { json } = await server.request('/seen?select=role,method,path,search_path,site');
    expect(json).toEqual([
      {
        role: 'anon',
        method: 'GET',
        path: '/seen',
        search_path: '"public", "extensions"',
        site: 'greenroom',
      },
    ]);
  });

  it('is passed to the database with all claims', async () => {
    const claims = { role: 'authenticated', sub: one, large: 1 };
    const [seen] = (await server.request('/seen?select=role,claims', { claims })).json as [
      Record<string, unknown>,
    ];
    expect(seen).toMatchObject({ role: 'authenticated', claims });
    expect((await server.request('/own?select=id', { claims })).json).toEqual([{ id: 1 }]);
    expect((await server.request('/own?select=id')).json).toEqual([]);
  });

  it('passes headers and cookies to the database', async () => {
    const headers = {
      'X-Trace': 'a"ü'.replace('ü', Buffer.from('ü').toString('latin1')),
      cookie: 'a=1; b="x=y"; a=2',
    };
    const [seen] = (await server.request('/seen?select=headers,cookies', { headers })).json as [
      { headers: Record<string, string>; cookies: unknown },
    ];
    expect(seen.headers['x-trace']).toBe('a"ü');
    expect(seen.headers).not.toHaveProperty('cookie');
    expect(seen.cookies).toEqual({ a: '2', b: 'x=y' });
  });

  it('can set the time zone', async () => {
    const headers = { prefer: 'timezone=Asia/Tokyo' };
    expect((await server.request('/seen?select=timezone', { headers })).json).toEqual([
      { timezone: 'Asia/Tokyo' },
    ]);
    expect(await errorCode('/seen', { headers: { prefer: 'timezone=Nowhere' } })).toEqual([400, '22023']);
  });

  it('determines whether a missing privilege is 401 or 403', async () => {
    const anonymous = await server.request('/hidden');
    expect([anonymous.status, anonymous.header('www-authenticate')]).toEqual([401, 'Bearer']);
    expect(await errorCode('/hidden', { claims: { role: 'authenticated' } })).toEqual([403, '42501']);
    expect(await errorCode('/films', { claims: { role: 'postgres' } })).toEqual([403, '42501']);
    expect(await errorCode('/films', { claims: { role: 'nobody_at_all' } })).toEqual([401, '22023']);
  });
});

describe('schemas', () => {
  it('are selected by header', async () => {
    const response = await server.request('/reels', { headers: { 'accept-profile': 'archive' } });
    expect([response.status, response.header('content-profile')]).toEqual([200, 'archive']);
    expect(await errorCode('/reels')).toEqual([404, 'PGRST205']);
    expect(await errorCode('/films', { headers: { 'accept-profile': 'secret' } })).toEqual([406, 'PGRST106']);
  });

  it('are reloaded when an object is created in them', async () => {
    expect(await errorCode('/posters')).toEqual([404, 'PGRST205']);
    await server.database.admin.query({ text: 'create table posters (id int primary key)' });
    await expect.poll(async () => (await server.request('/posters')).status).toBe(200);
    await server.database.admin.query({
      text: 'alter table posters add column film_id int references films',
    });
    await expect.poll(async () => (await server.request('/posters?select=films(id)')).status).toBe(200);
    await server.database.admin.query({ text: 'drop table posters' });
    await expect.poll(async () => (await server.request('/posters')).status).toBe(404);
  });
});

describe('a rejected request', () => {
  it.each<[name: string, path: string, request: WireRequest, status: number, code: string]>([
    ['an unknown relation', '/filmz', {}, 404, 'PGRST205'],
    ['an invalid path', '/films/', {}, 404, 'PGRST125'],
    ['a path with three segments', '/a/b/c', {}, 404, 'PGRST125'],
    ['an invalid query', '/films?id=eq', {}, 400, 'PGRST100'],
    ['an unknown column', '/films?nothing=eq.1', {}, 400, '42703'],
    ['a value of the wrong type', '/films?id=eq.x', {}, 400, '22P02'],
    ['an unrelated embedding', '/films?select=id,hidden(id)', {}, 400, 'PGRST200'],
    ['a negative limit', '/films?limit=-1', {}, 416, 'PGRST103'],
    ['an offset beyond the end', '/films?offset=9', { headers: { prefer: 'count=exact' } }, 416, 'PGRST103'],
    ['an unsupported media type', '/films', { headers: { accept: 'image/png' } }, 406, 'PGRST107'],
    ['an unknown preference', '/films', { headers: { prefer: 'handling=strict, foo=bar' } }, 400, 'PGRST122'],
    ['a disabled aggregate', '/films?select=id.sum()', {}, 400, 'PGRST123'],
    ['PUT to the root', '/', { method: 'PUT' }, 405, 'PGRST117'],
    ['an unknown method', '/films', { method: 'PROPFIND' }, 405, 'PGRST117'],
    ['DELETE to a function', '/rpc/f', { method: 'DELETE' }, 405, 'PGRST101'],
    ['an empty token', '/films', { headers: { authorization: 'Bearer ' } }, 401, 'PGRST301'],
    ['an expired token', '/films', { claims: { role: 'anon', exp: 1 } }, 401, 'PGRST303'],
  ])('with %s returns $3 $4', async (_name, path, request, status, code) => {
    const response = await server.request(path, request);
    expect(response.status).toBe(status);
    expect(response.json).toMatchObject({ code });
    expect(Object.keys(response.json as object)).toEqual(['code', 'details', 'hint', 'message']);
    expect(response.header('proxy-status')).toBe(`PostgREST; error=${code}`);
    expect(response.header('content-type')).toBe('application/json; charset=utf-8');
  });

  it('suggests a similar name', async () => {
    expect((await server.request('/filmss')).json).toMatchObject({
      hint: expect.stringContaining("'public.films'"),
    });
  });
});

describe('OPTIONS', () => {
  it('returns the allowed methods', async () => {
    const response = await server.request('/films', { method: 'OPTIONS' });
    expect([response.status, response.text]).toEqual([200, '']);
    expect(response.header('allow')).toBe('OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE');
    expect((await server.request('/', { method: 'OPTIONS' })).header('allow')).toBe('OPTIONS,GET,HEAD');
    expect(await errorCode('/filmz', { method: 'OPTIONS' })).toEqual([404, 'PGRST205']);
  });
});

describe('response settings', () => {
  let configured: DataServer;
  beforeAll(async () => {
    configured = await DataServer.open(
      `create table films (id int primary key); grant all on films to anon;
       create function one() returns int language sql as 'select 1'`,
      {
        PGRST_SERVER_TIMING_ENABLED: 'true',
        PGRST_SERVER_TRACE_HEADER: 'X-Trace',
        PGRST_CLIENT_ERROR_VERBOSITY: 'minimal',
        PGRST_SERVER_CORS_ALLOWED_ORIGINS: 'https://a.example',
      },
    );
  });
  afterAll(() => configured.close());

  it.each<[path: string, request: WireRequest]>([
    ['/films', {}],
    ['/films', { method: 'POST', body: { id: 1 } }],
    ['/rpc/one', { method: 'POST' }],
  ])('return the duration of the stages of %s %j', async (path, request) => {
    const response = await configured.request(path, request);
    const number = String.raw`\d+\.\d`;
    const parts = ['jwt', 'parse', 'plan', 'transaction', 'response'].map((part) => `${part};dur=${number}`);
    expect(response.header('server-timing')).toMatch(new RegExp(`^${parts.join(', ')}$`));
    expect(response.header('vary')).toBe('Accept, Prefer, Range, Origin');
  });

  it.each(['/films', '/nothing'])('return the trace header of %s', async (path) => {
    const response = await configured.request(path, { headers: { 'x-trace': 'abc' } });
    expect(response.header('x-trace')).toBe('abc');
    expect((await configured.request(path)).header('x-trace')).toBeNull();
  });

  it('omit details and hint with minimal verbosity', async () => {
    expect(Object.keys((await configured.request('/nothing')).json as object)).toEqual(['code', 'message']);
  });
});
