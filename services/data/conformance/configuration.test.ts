import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '@greenroom/log';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DataServer } from '../testing/data-server.ts';

const SQL = `
  create schema other;
  create schema helpers;
  grant usage on schema other, helpers to anon, authenticated, service_role;
  create table colours (id int primary key, name text);
  create table shades (id int primary key, colour_id int references colours);
  insert into colours values (1, 'red'), (2, 'blue'), (3, 'green');
  create table locked (id int);
  revoke all on locked from anon, authenticated;
  create table other.things (id int primary key);
  grant select on other.things to anon;
  create function who() returns text stable language sql as 'select current_user::text';
  create function helpers.only_helpers() returns int stable language sql as 'select 5';
  create function helped() returns int stable language plpgsql as $f$ begin return only_helpers(); end $f$;
  create function hurried() returns void language sql as 'select pg_sleep(0.3)' set statement_timeout = '50ms';
  create function refuse() returns void language plpgsql as $f$ begin raise sqlstate 'PT423' using message = 'shut'; end $f$;
  create function own_root() returns json stable language sql as $f$ select '{"mine": true}'::json $f$;
  create function two_rows() returns void language sql as $f$ select set_config('pgrst.db_max_rows', '2', true) $f$;
  grant execute on function two_rows to authenticator;
  create function other.path() returns text stable language sql as $f$ select current_setting('search_path') $f$;
  create function setting(name text) returns text stable language sql as 'select current_setting(name, true)';
  create view newly_prepared as select count(*)::int as n from pg_prepared_statements where prepare_time >= now();
  create function session() returns int stable language sql as 'select pg_backend_pid()';
  create function failing() returns void language plpgsql as $f$ begin raise 'broken'; end $f$;
`;

const SECRET = 'a secret of thirty-two bytes, or more';
const signed = (claims: Record<string, unknown>, secret: Buffer | string = SECRET) =>
  new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(secret));
const authorized = async (token: Promise<string>) => ({
  headers: { authorization: `Bearer ${await token}` },
});

interface Change {
  /** The names are those of settings in the database. */
  settings: Record<string, string>;
  /** What shows which value there is. */
  probe: (server: DataServer) => Promise<unknown>;
  without: unknown;
  with: unknown;
}

const statusOf =
  (path: string, request = {}) =>
  async (server: DataServer) =>
    (await server.request(path, request)).status;
const jsonOf =
  (path: string, request = {}) =>
  async (server: DataServer) =>
    (await server.request(path, request)).json;
const documentOf = async (server: DataServer) =>
  (await server.request('/')).json as { host: string; security?: unknown; definitions: object };

let probes = 0;

/** Returns whether a new statement is prepared. */
async function prepares(server: DataServer): Promise<boolean> {
  probes += 1;
  const { json } = await server.request(`/newly_prepared?select=of_${probes}:n`);
  const [row = {}] = json as Record<string, number>[];
  return (row[`of_${probes}`] ?? 0) > 0;
}

/** Returns whether the pool closes a connection. */
async function closesConnection(server: DataServer): Promise<boolean> {
  const { json: pid } = await server.request('/rpc/session');
  const text = 'select from pg_stat_activity where pid = $1';
  const exists = async () => (await server.database.admin.query({ text, values: [pid] })).length;
  await expect.poll(exists, { timeout: 10_000 }).toBe(0);
  return (await server.request('/rpc/session')).status === 200;
}

const CHANGES: Change[] = [
  {
    settings: { client_error_verbosity: 'minimal' },
    probe: async (server) => Object.keys((await server.request('/nothing')).json as object),
    without: ['code', 'details', 'hint', 'message'],
    with: ['code', 'message'],
  },
  {
    settings: { db_aggregates_enabled: 'true' },
    probe: statusOf('/colours?select=id.max()'),
    without: 400,
    with: 200,
  },
  {
    settings: { db_anon_role: 'service_role' },
    probe: jsonOf('/rpc/who'),
    without: 'anon',
    with: 'service_role',
  },
  {
    settings: { db_extra_search_path: 'public, helpers' },
    probe: statusOf('/rpc/helped'),
    without: 404,
    with: 200,
  },
  {
    settings: { db_hoisted_tx_settings: 'work_mem' },
    probe: statusOf('/rpc/hurried', { method: 'POST' }),
    without: 500,
    with: 204,
  },
  {
    settings: { db_max_rows: '1' },
    probe: jsonOf('/colours?select=id&order=id'),
    without: [{ id: 1 }, { id: 2 }, { id: 3 }],
    with: [{ id: 1 }],
  },
  {
    settings: { db_plan_enabled: 'true' },
    probe: statusOf('/colours', { headers: { accept: 'application/vnd.pgrst.plan' } }),
    without: 406,
    with: 200,
  },
  {
    settings: { db_pre_config: 'public.two_rows' },
    probe: jsonOf('/colours?select=id&order=id'),
    without: [{ id: 1 }, { id: 2 }, { id: 3 }],
    with: [{ id: 1 }, { id: 2 }],
  },
  { settings: { db_prepared_statements: 'false' }, probe: prepares, without: true, with: false },
  { settings: { db_pre_request: 'refuse' }, probe: statusOf('/colours'), without: 200, with: 423 },
  {
    settings: { db_root_spec: 'public.own_root' },
    probe: async (server) => 'mine' in ((await server.request('/')).json as object),
    without: false,
    with: true,
  },
  { settings: { db_schemas: 'other' }, probe: statusOf('/things'), without: 404, with: 200 },
  {
    settings: { db_tx_end: 'rollback' },
    probe: async (server) => {
      await server.request('/colours', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: { id: 9 },
      });
      return server.database.admin.query({ text: 'delete from colours where id = 9 returning id' });
    },
    without: [{ id: 9 }],
    with: [],
  },
  {
    settings: { jwt_aud: 'here' },
    probe: statusOf('/colours', { claims: { role: 'anon', aud: 'there' } }),
    without: 200,
    with: 401,
  },
  {
    settings: { jwt_cache_max_entries: '0' },
    probe: statusOf('/colours', { claims: { role: 'anon' } }),
    without: 200,
    with: 200,
  },
  {
    settings: { jwt_role_claim_key: '$.app.roles[1]' },
    probe: jsonOf('/rpc/who', { claims: { role: 'authenticated', app: { roles: ['x', 'service_role'] } } }),
    without: 'authenticated',
    with: 'service_role',
  },
  {
    settings: { jwt_secret: SECRET },
    probe: async (server) =>
      (await server.request('/rpc/who', await authorized(signed({ role: 'service_role' })))).status,
    without: 401,
    with: 200,
  },
  {
    settings: { jwt_secret: Buffer.from(SECRET).toString('base64'), jwt_secret_is_base64: 'true' },
    probe: async (server) =>
      (await server.request('/rpc/who', await authorized(signed({ role: 'service_role' })))).status,
    without: 401,
    with: 200,
  },
  { settings: { openapi_mode: 'disabled' }, probe: statusOf('/'), without: 200, with: 404 },
  {
    settings: { openapi_mode: 'ignore-privileges' },
    probe: async (server) => 'locked' in (await documentOf(server)).definitions,
    without: false,
    with: true,
  },
  {
    settings: { openapi_security_active: 'true' },
    probe: async (server) => (await documentOf(server)).security,
    without: undefined,
    with: [{ JWT: [] }],
  },
  {
    settings: { openapi_server_proxy_uri: 'https://api.example.org/v9' },
    probe: async (server) => (await documentOf(server)).host,
    without: '127.0.0.1:54321',
    with: 'api.example.org:443',
  },
  {
    settings: { url_use_legacy_target_names: 'false' },
    probe: statusOf('/shades?select=of:colours(name)&colours.name=eq.red'),
    without: 200,
    with: 400,
  },
];

const variable = (name: string) => `PGRST_${name.toUpperCase()}`;
const named = CHANGES.map((change) => [Object.keys(change.settings).join(', '), change] as const);

/** Sets settings of the login role, in the database of the server only. */
async function set(server: DataServer, settings: Record<string, string | undefined>): Promise<void> {
  const name = new URL(server.database.url).pathname.slice(1);
  for (const [setting, value] of Object.entries(settings)) {
    const what = value === undefined ? `reset pgrst.${setting}` : `set pgrst.${setting} = '${value}'`;
    await server.database.admin.query({ text: `alter role authenticator in database ${name} ${what}` });
  }
}

/** Has the settings read again, without the schema being spoken of. */
const reload = (server: DataServer, notice = "notify pgrst, 'reload config'") => server.reload(notice);

const ODD = `create schema "Odd ""@/\\#~_-"; grant usage on schema "Odd ""@/\\#~_-" to anon;
  create function "Odd ""@/\\#~_-".hidden() returns text stable language sql as 'select ''odd''';
  create function oddly() returns text stable language plpgsql as $f$ begin return hidden(); end $f$;`;
const SLEEP =
  "create function sleep(seconds int) returns text stable language sql as 'select pg_sleep(seconds)::text';";

/** On its database those are started that have other settings from the beginning. */
let home: DataServer;
beforeAll(async () => {
  home = await DataServer.open(SQL + ODD + SLEEP);
});
afterAll(() => home.close());

describe('settings in the environment', () => {
  it.each(named)('apply %s', async (_name, { settings, probe, with: value }) => {
    const server = await home.startAnother(
      Object.fromEntries(Object.entries(settings).map(([name, text]) => [variable(name), text])),
    );
    try {
      expect(await probe(server)).toEqual(value);
    } finally {
      await server.close();
    }
  });

  it.each<[name: string, settings: Record<string, string>, probe: Change['probe'], value: unknown]>([
    [
      'expose PGRST_APP_SETTINGS_* to SQL',
      { PGRST_APP_SETTINGS_PLACE: 'Turku' },
      jsonOf('/rpc/setting?name=app.settings.place'),
      'Turku',
    ],
    [
      'accept an empty extra search path',
      { PGRST_DB_EXTRA_SEARCH_PATH: '', PGRST_DB_SCHEMAS: 'other' },
      jsonOf('/rpc/path'),
      '"other"',
    ],
    [
      'accept an extra search path with special characters',
      { PGRST_DB_EXTRA_SEARCH_PATH: 'public, Odd "@/\\#~_-' },
      jsonOf('/rpc/oddly'),
      'odd',
    ],
    [
      'ignore Prefer: timezone with PGRST_DB_TIMEZONE_ENABLED=false',
      { PGRST_DB_TIMEZONE_ENABLED: 'false' },
      async (server) => {
        const response = await server.request('/rpc/setting?name=timezone', {
          headers: { prefer: 'timezone=Asia/Tokyo' },
        });
        return [response.json !== 'Asia/Tokyo', response.header('preference-applied')];
      },
      [true, null],
    ],
    [
      'replace connections after PGRST_DB_POOL_MAX_LIFETIME',
      { PGRST_DB_POOL_MAX_LIFETIME: '1' },
      closesConnection,
      true,
    ],
    [
      'close idle connections after PGRST_DB_POOL_MAX_IDLETIME',
      { PGRST_DB_POOL_MAX_IDLETIME: '1' },
      closesConnection,
      true,
    ],
    [
      'respond with 504 after PGRST_DB_POOL_ACQUISITION_TIMEOUT',
      { PGRST_DB_POOL: '1', PGRST_DB_POOL_ACQUISITION_TIMEOUT: '1' },
      async (server) => {
        const disconnect = new AbortController();
        const slow = fetch(`${server.url}/rpc/sleep?seconds=30`, { signal: disconnect.signal });
        const isSleeping = async () =>
          (
            await server.database.admin.query({
              text: `select from pg_stat_activity
                where state = 'active' and application_name = 'greenroom data' and datname = current_database()`,
            })
          ).length;
        await expect.poll(isSleeping, { timeout: 10_000 }).toBe(1);
        const response = await server.request('/colours');
        disconnect.abort();
        await slow.catch(() => undefined);
        return [response.status, (response.json as { code: string }).code];
      },
      [504, 'PGRST003'],
    ],
  ])('%s', async (_name, settings, probe, value) => {
    const server = await home.startAnother(settings);
    try {
      expect(await probe(server)).toEqual(value);
    } finally {
      await server.close();
    }
  });
});

describe('the SQL of requests', () => {
  /** Returns the log of a successful request, a rejected one and a failing one. */
  async function logged(level: string, settings: Record<string, string>): Promise<unknown[]> {
    const lines: Record<string, unknown>[] = [];
    const log = createLogger(level, { write: (line) => lines.push(JSON.parse(line)) });
    const server = await home.startAnother(settings, { log });
    try {
      for (const path of ['/colours?name=eq.secret', '/locked', '/rpc/hurried']) await server.request(path);
    } finally {
      await server.close();
    }
    const withSql = lines.filter(({ sql }) => sql !== undefined);
    for (const { sql, reqId } of withSql) {
      expect(sql).toEqual([expect.stringMatching(/^(with|select) /i)]);
      expect(JSON.stringify(sql)).not.toContain('secret');
      expect(reqId).toMatch(/^[\da-f-]{36}$/);
    }
    return withSql.map(({ status }) => status);
  }

  it.each([
    ['info', 'true', [200, 401, 500]],
    ['warn', 'true', [401, 500]],
    ['error', 'true', [500]],
    ['info', 'false', []],
  ])(
    'is logged at level %s with PGRST_LOG_QUERY=%s for responses with the statuses %j',
    async (level, text, statuses) => {
      expect(await logged(level, { PGRST_LOG_QUERY: text })).toEqual(statuses);
    },
  );
});

describe('settings in the database', () => {
  let server: DataServer;
  const errors: unknown[] = [];
  beforeAll(async () => {
    const log = createLogger('error', { write: (line) => errors.push(JSON.parse(line)) });
    server = await DataServer.open(SQL, {}, { log });
  });
  afterAll(() => server.close());

  it.each(named)(
    'apply %s on reload and restore the default after a reset',
    async (_name, { settings, probe, without, with: value }) => {
      expect(await probe(server)).toEqual(without);
      await set(server, settings);
      await reload(server);
      expect(await probe(server)).toEqual(value);
      await set(server, Object.fromEntries(Object.keys(settings).map((name) => [name, undefined])));
      await reload(server);
      expect(await probe(server)).toEqual(without);
    },
  );

  it('are reloaded together with the schema and by an empty notification', async () => {
    const rows = jsonOf('/colours?select=id&order=id');
    await set(server, { db_max_rows: '1' });
    await reload(server, "notify pgrst, 'reload schema'");
    expect(await rows(server)).toHaveLength(1);
    await set(server, { db_max_rows: '2' });
    await reload(server, 'notify pgrst');
    expect(await rows(server)).toHaveLength(2);
    await set(server, { db_max_rows: undefined });
    await reload(server);
  });

  it('invalidate cached tokens when jwt_secret changes', async () => {
    const request = await authorized(signed({ role: 'service_role' }));
    const who = statusOf('/rpc/who', request);
    await set(server, { jwt_secret: SECRET });
    await reload(server);
    expect(await who(server)).toBe(200);
    await set(server, { jwt_secret: `${SECRET} that is new` });
    await reload(server);
    expect(await who(server)).toBe(401);
    await set(server, { jwt_secret: undefined });
    await reload(server);
  });

  it.each<[name: string, value: string]>([
    ['db_max_rows', 'many'],
    ['db_schemas', 'pg_catalog'],
    ['db_schemas', ','],
    ['db_tx_end', 'perhaps'],
    ['jwt_secret', 'short'],
    ['jwt_secret', '@/etc/passwd'],
    ['jwt_secret', '{"keys":[{"kty":"EC","crv":"bogus"}]}'],
    ['jwt_secret', '{"kty":"RSA","n":"AQAB","e":"AQAB"}'],
    ['jwt_role_claim_key', '$..['],
    ['openapi_mode', 'on'],
    ['db_aggregates_enabled', 'certainly'],
    ['db_pre_config', 'public.failing'],
    ['db_pre_config', 'public.not_there'],
  ])('are all ignored if one is invalid: %s = %s', async (name, value) => {
    const rows = jsonOf('/colours?select=id&order=id');
    await set(server, { db_max_rows: '2' });
    await reload(server);
    errors.length = 0;
    // If one setting is invalid, none of them is applied.
    await set(server, { [name]: value, db_anon_role: 'service_role' });
    await reload(server);
    expect(errors).not.toHaveLength(0);
    expect(JSON.stringify(errors)).not.toContain('short');
    expect(await rows(server)).toHaveLength(2);
    expect(await jsonOf('/rpc/who')(server)).toBe('anon');
    // Invalid settings do not prevent a reload of the schema.
    await server.change('create table if not exists later (id int)');
    await expect.poll(() => statusOf('/later')(server), { timeout: 10_000 }).toBe(200);
    await server.change('drop table later');
    await set(server, { db_anon_role: undefined, [name]: undefined, db_max_rows: undefined });
    await reload(server);
    expect(await rows(server)).toHaveLength(3);
  });

  it.each<[name: string, value: string]>([
    ['db_pool', '1'],
    ['db_channel', 'elsewhere'],
    ['db_config', 'false'],
    ['db_channel_enabled', 'false'],
  ])('are applied apart from %s, which only the environment sets', async (name, value) => {
    await set(server, { [name]: value, db_max_rows: '1' });
    await reload(server);
    expect(await jsonOf('/colours?select=id')(server)).toHaveLength(1);
    await set(server, { [name]: undefined, db_max_rows: undefined });
    await reload(server);
  });
});

describe('settings in the database at startup', () => {
  it.each<[name: string, environment: Record<string, string>, prepare: string, rows: number]>([
    ['override the environment', { PGRST_DB_MAX_ROWS: '2' }, "set pgrst.db_max_rows = '1'", 1],
    [
      'are ignored with PGRST_DB_CONFIG=false',
      { PGRST_DB_MAX_ROWS: '2', PGRST_DB_CONFIG: 'false' },
      "set pgrst.db_max_rows = '1'",
      2,
    ],
    [
      'are replaced by the environment if one is invalid',
      { PGRST_DB_MAX_ROWS: '2' },
      "set pgrst.db_max_rows = 'x'",
      2,
    ],
    [
      'are replaced by the environment if the pre-config function fails',
      { PGRST_DB_MAX_ROWS: '2' },
      "set pgrst.db_pre_config = 'failing'",
      2,
    ],
    ['include those of the pre-config function', { PGRST_DB_PRE_CONFIG: 'two_rows' }, 'reset all', 2],
    [
      'override those of the pre-config function',
      { PGRST_DB_PRE_CONFIG: 'two_rows' },
      "set pgrst.db_max_rows = '1'",
      1,
    ],
  ])('%s', async (_name, environment, prepare, rows) => {
    const name = new URL(home.database.url).pathname.slice(1);
    const settings = `alter role authenticator in database ${name}`;
    await home.database.admin.query({ text: `${settings} ${prepare}` });
    const server = await home.startAnother(environment);
    try {
      expect(await jsonOf('/colours?select=id')(server)).toHaveLength(rows);
    } finally {
      await server.close();
      await home.database.admin.query({ text: `${settings} reset all` });
    }
  });
});

describe('a JWT secret in a file', () => {
  it('is reread on reload and kept if the file is missing', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'greenroom-secret-'));
    const file = join(folder, 'secret');
    await writeFile(file, `${SECRET}\n`);
    const log = createLogger('error', { write: (line) => problems.push(line) });
    const problems: string[] = [];
    const server = await home.startAnother({ PGRST_JWT_SECRET: `@${file}` }, { log });
    const statusWith = async (secret: string) =>
      (await server.request('/rpc/who', await authorized(signed({ role: 'service_role' }, secret)))).status;
    try {
      expect([await statusWith(SECRET), await statusWith(`${SECRET} that is new`)]).toEqual([200, 401]);
      await writeFile(file, `${SECRET} that is new`);
      await reload(server);
      expect([await statusWith(SECRET), await statusWith(`${SECRET} that is new`)]).toEqual([401, 200]);
      await rm(file);
      await reload(server);
      expect(await statusWith(`${SECRET} that is new`)).toBe(200);
      expect(problems.join()).toContain('PGRST_JWT_SECRET');
      expect(problems.join()).not.toContain(SECRET);
    } finally {
      await server.close();
      await rm(folder, { recursive: true });
    }
  });
});

describe('schemas listed by the pre-config function', () => {
  it('are exposed after they are created', async () => {
    const server = await DataServer.open(
      `create schema tenant_a; grant usage on schema tenant_a to anon;
       create table tenant_a.rooms (id int); grant select on tenant_a.rooms to anon;
       create schema settings; grant usage on schema settings to authenticator;
       create function settings.tenants() returns void language sql as $f$
         select set_config('pgrst.db_schemas', string_agg(nspname, ',' order by nspname), true)
         from pg_namespace where nspname like 'tenant\\_%'
       $f$`,
      { PGRST_DB_PRE_CONFIG: 'settings.tenants' },
    );
    try {
      expect((await server.request('/rooms')).status).toBe(200);
      const headers = { 'accept-profile': 'tenant_b' };
      expect((await server.request('/halls', { headers })).status).toBe(406);
      await server.change(
        `create schema tenant_b; grant usage on schema tenant_b to anon;
         create table tenant_b.halls (id int); grant select on tenant_b.halls to anon`,
      );
      await expect
        .poll(async () => (await server.request('/halls', { headers })).status, { timeout: 10_000 })
        .toBe(200);
    } finally {
      await server.close();
    }
  });
});

describe('the notification channel', () => {
  it('has the configured name', async () => {
    const server = await home.startAnother({ PGRST_DB_CHANNEL: 'Colour Changes' });
    try {
      await set(server, { db_max_rows: '1' });
      await reload(server, `notify "Colour Changes", 'reload config'`);
      expect(await jsonOf('/colours?select=id')(server)).toHaveLength(1);
    } finally {
      await server.close();
      await set(home, { db_max_rows: undefined });
    }
  });

  it('is not listened to if disabled', async () => {
    const server = await DataServer.open(SQL, { PGRST_DB_CHANNEL_ENABLED: 'false' });
    try {
      expect(await statusOf('/colours')(server)).toBe(200);
      const listening = await server.database.admin.query({
        text: `select from pg_stat_activity
          where datname = current_database() and application_name = 'greenroom data, listening'`,
      });
      expect(listening).toEqual([]);
    } finally {
      await server.close();
    }
  });
});
