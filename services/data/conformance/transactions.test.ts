import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DataServer, type WireRequest } from '../testing/data-server.ts';
import { openHarbour } from './testing/harbour.ts';

const OPEN_ENDED = `
  create view counter as select nextval('call_numbers') as value;
  grant select on counter to anon;
  grant usage on sequence call_numbers to anon, authenticated;
  create function write_note(entry text) returns void language sql as 'insert into journal (entry) values (entry)';
  create function write_stably(entry text) returns void stable language plpgsql
    as $f$ begin perform write_note(entry); end $f$;
  create function is_serializable() returns text language sql
    as 'select current_setting(''transaction_isolation'')' set default_transaction_isolation = 'serializable';
  create function patient() returns text language sql
    as 'select current_setting(''statement_timeout'')' set statement_timeout = '7s';
  create function hurried() returns void language sql
    as 'select pg_sleep(0.5)' set statement_timeout = '100ms';
  create function own_work_mem() returns text language sql
    as 'select current_setting(''work_mem'')' set work_mem = '5MB';
  create function seen_settings(names text[]) returns json stable language sql
    as 'select json_object_agg(name, current_setting(name, true)) from unnest(names) name';
  create function leak() returns text language sql
    as 'select set_config(''request.leak'', ''x'', true)';
  create function kettle() returns json language plpgsql as $f$
    begin
      perform set_config('response.status', '418', true);
      return json_build_object('message', 'short');
    end $f$;
  create function cached_rows() returns setof signals language sql
    as 'set local "response.headers" = ''[{"Cache-Control": "public"}, {"Cache-Control": "max-age=259200"}]''; select * from signals';
  create function two_types() returns text language sql
    as 'set local "response.headers" = ''[{"Content-Type": "text/a"}, {"Content-Type": "text/b"}]''; select ''x''';
  create function own_vary() returns void language sql
    as 'set local "response.headers" = ''[{"Vary": "X-Lamp"}]''';
  create function cookies() returns void language sql
    as 'set local "response.headers" = ''[{"Set-Cookie": "a=1; Path=/"}, {"Set-Cookie": "b=2; Secure"}]''';
  create function bad_headers(value text) returns void language sql
    as 'select set_config(''response.headers'', value, true)';
  create function bad_status(value text) returns void language sql
    as 'select set_config(''response.status'', value, true)';
  create function location_of_row() returns trigger language plpgsql as $f$
    begin
      if tg_op = 'INSERT' then
        perform set_config('response.headers', '[{"Location": "/signals?id=eq.' || new.id || '&seen=true"}]', true);
      else
        perform set_config('response.status', '205', true);
      end if;
      return new;
    end $f$;
  create table watched (id int primary key, name text);
  create trigger location_of_row before insert or update on watched for each row execute function location_of_row();
  insert into watched values (1, 'a');
  create table ruled (id int primary key);
  create table ruled_log (id int);
  create rule and_log as on insert to ruled do also insert into ruled_log values (new.id);
  create table pairs (col int unique deferrable initially deferred);
  create function repeat_pair(is_deferred boolean default true) returns void language plpgsql as $f$
    begin
      if not is_deferred then set constraints all immediate; end if;
      insert into pairs values (1), (1);
    end $f$;
  create table items (id int primary key);
  insert into items values (1);
`;

const json = { 'content-type': 'application/json' };

/** On its database those are started that have other settings. */
let home: DataServer;
beforeAll(async () => {
  home = await openHarbour({ PGRST_DB_TX_END: 'commit' }, OPEN_ENDED);
});
afterAll(() => home.close());

/** Starts a server on a separate database, with settings of roles for that database only. */
async function openWithRoles(roleSettings: readonly string[]) {
  const server = await openHarbour({ PGRST_DB_TX_END: 'commit' }, OPEN_ENDED);
  const name = new URL(server.database.url).pathname.slice(1);
  await server.change(
    roleSettings.map((each) => each.replace(' set ', ` in database ${name} set `)).join(';'),
  );
  return server;
}

describe('a request', () => {
  let server: DataServer;
  beforeAll(async () => {
    server = await openWithRoles([
      "alter role anon set statement_timeout = '31s'",
      "alter role authenticated set default_transaction_isolation = 'repeatable read'",
      "alter role authenticated set my.flag = 'on'",
      // Only a superuser may set it, so it is left out.
      "alter role anon set log_min_messages = 'debug1'",
    ]);
  });
  afterAll(() => server.close());

  const post = (body: unknown = {}): WireRequest => ({ method: 'POST', headers: json, body });
  const settingsOf = async (names: string[], request: WireRequest = {}) => {
    const response = await server.request('/rpc/seen_settings', {
      method: 'POST',
      body: { names },
      ...request,
      headers: { ...json, ...request.headers },
    });
    return response.json;
  };

  it.each<[path: string, request: WireRequest, status: number]>([
    ['/counter', {}, 405],
    ['/counter', { method: 'HEAD' }, 405],
    ['/rpc/count_call', {}, 405],
    ['/rpc/count_call', { method: 'HEAD' }, 405],
    ['/rpc/count_call', { method: 'POST' }, 200],
    ['/rpc/write_note?entry=x', {}, 405],
    ['/rpc/write_note', post({ entry: 'x' }), 204],
    ['/rpc/write_stably?entry=x', {}, 405],
    ['/rpc/write_stably', post({ entry: 'x' }), 405],
  ])('may write only by method and volatility: %s %j returns %i', async (path, request, status) => {
    const response = await server.request(path, request);
    expect(response.status).toBe(status);
    if (status === 405) expect(response.header('proxy-status')).toBe('PostgREST; error=25006');
  });

  it('returns the error of PostgreSQL for a write in a read-only transaction', async () => {
    expect((await server.request('/counter')).json).toEqual({
      code: '25006',
      details: null,
      hint: null,
      message: 'cannot execute nextval() in a read-only transaction',
    });
  });

  it('inserts into a table with a rule only with return=minimal', async () => {
    const insert = (id: number, prefer: string) =>
      server.request('/ruled', { ...post({ id }), headers: { ...json, prefer } });
    expect((await insert(1, 'return=minimal')).status).toBe(201);
    // PostgreSQL takes no such insert together with what reads its rows.
    expect((await insert(2, 'return=representation')).json).toMatchObject({ code: '0A000' });
    expect((await server.request('/ruled_log')).json).toEqual([{ id: 1 }]);
  });

  it('has the isolation level of its role or function', async () => {
    const of = async (claims?: Record<string, unknown>, path = '/rpc/settings_of_request') =>
      (await server.request(path, { ...(claims && { claims }) })).json;
    expect(await of()).toMatchObject({ isolation: 'read committed', readOnly: 'on' });
    expect(await of({ role: 'authenticated' })).toMatchObject({ isolation: 'repeatable read' });
    expect(await of({ role: 'authenticated' }, '/rpc/is_serializable')).toBe('serializable');
    expect((await server.request('/rpc/is_serializable', post())).json).toBe('serializable');
  });

  it('has the settings of its role and the hoisted settings of its function', async () => {
    expect(await settingsOf(['statement_timeout', 'my.flag'])).toMatchObject({ statement_timeout: '31s' });
    expect(await settingsOf(['my.flag'], { claims: { role: 'authenticated' } })).toEqual({ 'my.flag': 'on' });
    expect((await server.request('/rpc/patient')).json).toBe('7s');
    expect((await server.request('/rpc/own_work_mem')).json).toBe('5MB');
  });

  it('leaves no settings on the connection', async () => {
    await server.request('/rpc/leak', post());
    for (let i = 0; i < 12; i += 1) {
      const seen = (await settingsOf(['request.leak', 'role'])) as Record<string, string | null>;
      expect([seen['request.leak'] || null, seen.role]).toEqual([null, 'anon']);
    }
  });

  it('exposes headers, cookies, claims, path and method to SQL', async () => {
    const names = [
      'request.headers',
      'request.cookies',
      'request.jwt.claims',
      'request.path',
      'request.method',
      'role',
      'search_path',
    ];
    const seen = (await settingsOf(names, {
      headers: { 'X-Lamp': 'Red', cookie: 'session=abc;other=1', origin: 'http://example.org' },
    })) as Record<string, string>;
    expect(JSON.parse(seen['request.headers'] ?? '')).toMatchObject({
      'x-lamp': 'Red',
      origin: 'http://example.org',
    });
    expect(JSON.parse(seen['request.cookies'] ?? '')).toEqual({ session: 'abc', other: '1' });
    expect(JSON.parse(seen['request.jwt.claims'] ?? '')).toEqual({ role: 'anon' });
    expect(seen).toMatchObject({
      'request.path': '/rpc/seen_settings',
      'request.method': 'POST',
      role: 'anon',
      search_path: '"public", "public"',
    });
  });

  it.each<[path: string, request: WireRequest, status: number, headers: Record<string, string | null>]>([
    ['/rpc/cached_rows?select=id&id=eq.1', post(), 200, { 'cache-control': 'public, max-age=259200' }],
    ['/rpc/kettle', post(), 418, { 'content-type': 'application/json; charset=utf-8' }],
    ['/rpc/own_vary', post(), 204, { vary: 'X-Lamp' }],
    ['/rpc/two_types', post(), 200, { 'content-type': 'text/b' }],
    ['/rpc/cookies', post(), 204, { 'set-cookie': 'a=1; Path=/, b=2; Secure', 'content-type': null }],
    [
      '/watched',
      { method: 'POST', headers: json, body: { id: 2 } },
      201,
      { location: '/signals?id=eq.2&seen=true' },
    ],
    ['/watched?id=eq.1', { method: 'PATCH', headers: json, body: { name: 'b' } }, 205, {}],
  ])('returns the headers and status that SQL sets: %s %j', async (path, request, status, headers) => {
    const response = await server.request(path, request);
    expect(response.status).toBe(status);
    for (const [name, value] of Object.entries(headers)) expect(response.header(name)).toBe(value);
  });

  it.each<[call: string, value: string, code: string]>([
    ['bad_headers', '{"X-A": "an object"}', 'PGRST111'],
    ['bad_headers', '["not", "objects"]', 'PGRST111'],
    ['bad_headers', '[{"X-A": "1", "X-B": "2"}]', 'PGRST111'],
    ['bad_headers', '[{"X-A": 1}]', 'PGRST111'],
    ['bad_headers', 'no json', 'PGRST111'],
    ['bad_status', 'bad', 'PGRST112'],
    ['bad_status', '1000', 'PGRST112'],
  ])('is rejected if SQL sets an invalid header or status: %s %s', async (call, value, code) => {
    const response = await server.request(`/rpc/${call}`, post({ value }));
    expect([response.status, response.json]).toMatchObject([500, { code, details: null, hint: null }]);
  });
});

describe('settings of a function', () => {
  it.each<[hoisted: string | undefined, status: number]>([
    [undefined, 500],
    ['work_mem', 204],
  ])('apply to its call only if hoisted: %s', async (hoisted, status) => {
    const server = await home.startAnother(
      hoisted === undefined ? {} : { PGRST_DB_HOISTED_TX_SETTINGS: hoisted },
    );
    try {
      const response = await server.request('/rpc/hurried', { method: 'POST' });
      expect(response.status).toBe(status);
      if (status === 500) expect(response.json).toMatchObject({ code: '57014' });
    } finally {
      await server.close();
    }
  });
});

describe('the end of a transaction', () => {
  const ENDS: readonly [end: string, prefer: string | undefined, applied: string | null, isKept: boolean][] =
    [
      ['commit', undefined, null, true],
      ['commit', 'tx=commit', null, true],
      ['commit', 'tx=rollback', null, true],
      ['commit-allow-override', undefined, null, true],
      ['commit-allow-override', 'tx=rollback', 'tx=rollback', false],
      ['rollback', undefined, null, false],
      ['rollback', 'tx=commit', null, false],
      ['rollback-allow-override', undefined, null, false],
      ['rollback-allow-override', 'tx=commit', 'tx=commit', true],
      ['rollback-allow-override', 'tx=rollback', 'tx=rollback', false],
    ];

  describe.each(['commit', 'commit-allow-override', 'rollback', 'rollback-allow-override'])(
    'PGRST_DB_TX_END=%s',
    (end) => {
      let server: DataServer;
      beforeAll(async () => {
        server = await home.startAnother({ PGRST_DB_TX_END: end });
      });
      afterAll(() => server.close());
      const ids = async () => {
        const rows = await server.database.admin.query<{ id: number }>({
          text: 'select id from items order by id',
        });
        return rows.map(({ id }) => id);
      };

      it.each(ENDS.filter(([of]) => of === end))(
        'with %s and Prefer: %s confirms %s and keeps the write: %s',
        async (_end, prefer, applied, isKept) => {
          const headers = {
            ...json,
            prefer: ['return=representation', ...(prefer === undefined ? [] : [prefer])].join(', '),
          };
          const requests: [
            path: string,
            request: WireRequest,
            status: number,
            rows: unknown,
            remaining: number[],
          ][] = [
            ['/items', { method: 'POST', headers, body: { id: 5 } }, 201, [{ id: 5 }], [1, 5]],
            ['/items?id=eq.6', { method: 'PUT', headers, body: { id: 6 } }, 201, [{ id: 6 }], [1, 6]],
            ['/items?id=eq.1', { method: 'PATCH', headers, body: { id: 7 } }, 200, [{ id: 7 }], [7]],
            ['/items?id=eq.1', { method: 'DELETE', headers }, 200, [{ id: 1 }], []],
          ];
          for (const [path, request, status, rows, remaining] of requests) {
            const response = await server.request(path, request);
            expect([response.status, response.json]).toEqual([status, rows]);
            const preferences = (response.header('preference-applied') ?? '')
              .split(', ')
              .filter((each) => each.startsWith('tx='));
            expect(preferences).toEqual(applied === null ? [] : [applied]);
            expect(await ids()).toEqual(isKept ? remaining : [1]);
            await server.database.admin.query({ text: 'delete from items' });
            await server.database.admin.query({ text: 'insert into items values (1)' });
          }
        },
      );

      it.each(ENDS.filter(([of]) => of === end))(
        'with %s and Prefer: %s confirms %s for a read',
        async (_end, prefer, applied) => {
          const headers = { ...json, ...(prefer !== undefined && { prefer }) };
          for (const [path, method, body] of [
            ['/items?id=eq.1', 'GET', undefined],
            ['/items?id=eq.1', 'HEAD', undefined],
            ['/rpc/all_signals?id=eq.1', 'GET', undefined],
            ['/rpc/all_signals?id=eq.1', 'POST', {}],
          ] as const) {
            const response = await server.request(path, { method, headers, ...(body && { body }) });
            expect([response.status, response.header('preference-applied')]).toEqual([200, applied]);
          }
        },
      );

      it.each(
        ENDS.filter(([of]) => of === end).flatMap(([, prefer]) => [
          [prefer, true] as const,
          [prefer, false] as const,
        ]),
      )('with Prefer: %s reports a violated constraint (deferred: %s)', async (prefer, is_deferred) => {
        const headers = { ...json, ...(prefer !== undefined && { prefer }) };
        const response = await server.request('/rpc/repeat_pair', {
          method: 'POST',
          headers,
          body: { is_deferred },
        });
        expect(response.json).toEqual({
          code: '23505',
          details: 'Key (col)=(1) already exists.',
          hint: null,
          message: 'duplicate key value violates unique constraint "pairs_col_key"',
        });
        expect([response.status, response.header('preference-applied')]).toEqual([409, null]);
      });
    },
  );
});

describe('concurrent requests', () => {
  it('see only their own settings', async () => {
    const server = await home.startAnother();
    try {
      const requests = Array.from({ length: 40 }, async (_, index) => {
        const role = index % 2 === 0 ? 'anon' : 'authenticated';
        const response = await server.request('/rpc/settings_of_request', {
          claims: { role, email: `${index}@example.org` },
        });
        expect(response.json).toMatchObject({ role, current: role, claim: `${index}@example.org` });
      });
      await Promise.all(requests);
    } finally {
      await server.close();
    }
  });
});

describe('the pre-request function', () => {
  let server: DataServer;
  beforeAll(async () => {
    server = await DataServer.open(
      `create table people (id int primary key);
       insert into people values (1);
       create table other (id int primary key);
       create function check_in() returns void language plpgsql as $f$
       declare
         email text := current_setting('request.jwt.claims', true)::json ->> 'email';
         agent text := current_setting('request.headers', true)::json ->> 'user-agent';
         path text := current_setting('request.path', true);
         method text := current_setting('request.method', true);
       begin
         if email = 'banned@example.org' then
           raise exception 'You are banned' using hint = 'Write to us';
         elsif email = 'switch@example.org' then
           set local role service_role;
         end if;
         if agent like 'old/%' then
           perform set_config('response.headers', '[{"Cache-Control": "no-store"}]', false);
         elsif path = '/other' then
           perform set_config('response.headers', '[{"Content-Type": "application/custom+json"}]', true);
         elsif method in ('POST', 'PATCH', 'PUT', 'DELETE') then
           perform set_config('response.headers', json_build_array(json_build_object('X-Method', method))::text, true);
         end if;
       end $f$;
       create function who_am_i() returns text stable language sql as 'select current_user::text'`,
      { PGRST_DB_PRE_REQUEST: 'check_in' },
    );
  });
  afterAll(() => server.close());

  const headers = json;
  it.each<[path: string, request: WireRequest, status: number, header: string, value: string | null]>([
    ['/people', { headers: { 'user-agent': 'old/6' } }, 200, 'cache-control', 'no-store'],
    ['/people', { method: 'HEAD', headers: { 'user-agent': 'old/7' } }, 200, 'cache-control', 'no-store'],
    ['/people', { headers: { 'user-agent': 'new/1' } }, 200, 'cache-control', null],
    ['/people', { method: 'POST', headers, body: { id: 2 } }, 201, 'x-method', 'POST'],
    ['/people?id=eq.2', { method: 'PATCH', headers, body: { id: 3 } }, 204, 'x-method', 'PATCH'],
    ['/people?id=eq.4', { method: 'PUT', headers, body: { id: 4 } }, 204, 'x-method', 'PUT'],
    ['/people?id=eq.4', { method: 'DELETE' }, 204, 'x-method', 'DELETE'],
    ['/rpc/who_am_i', { method: 'POST', headers, body: {} }, 200, 'x-method', 'POST'],
    ['/other', { method: 'HEAD' }, 200, 'content-type', 'application/custom+json'],
    ['/', {}, 200, 'cache-control', null],
  ])('makes %s %j respond with status %i and %s: %s', async (path, request, status, header, value) => {
    const response = await server.request(path, request);
    expect([response.status, response.header(header)]).toEqual([status, value]);
  });

  it('rejects the request with an error', async () => {
    const response = await server.request('/people', {
      claims: { role: 'authenticated', email: 'banned@example.org' },
    });
    expect([response.status, response.json]).toEqual([
      400,
      { code: 'P0001', details: null, hint: 'Write to us', message: 'You are banned' },
    ]);
  });

  it('changes the role of the request', async () => {
    const claims = { role: 'authenticated', email: 'switch@example.org' };
    expect((await server.request('/rpc/who_am_i', { claims })).json).toBe('service_role');
    expect((await server.request('/rpc/who_am_i')).json).toBe('anon');
  });
});
