import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyFolder } from '@greenroom/testing/copy-folder';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type MigrationSource, migrate, platformMigrations } from '../../migrate.ts';
import { passwordStatement } from '../../role-login.ts';
import { withSystemSearchPath } from '../../system-search-path.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../cluster.ts';
import { handOverDatabase } from './hand-over.ts';
import { connectAsSuperuser } from './log-in.ts';
import { HAND_OVER_STATEMENTS } from './owned-objects.ts';
import { renameSuperuser } from './rename-superuser.ts';
import {
  initialiseFormerCluster,
  migrateAsFormerVersion,
  runSql,
  startPlainServer,
} from './testing/former-cluster.ts';

const OWNER_PASSWORD = 'the password of postgres';
const SUPERUSER_PASSWORD = 'the password of supabase_admin';

/** Platform code does not import services, so their migrations are found by their folders. */
const CURRENT_MIGRATIONS: readonly MigrationSource[] = [
  platformMigrations,
  ...['auth', 'data', 'storage', 'realtime'].map((service) => ({
    service,
    directory: new URL(`../../../../services/${service}/migrations/`, import.meta.url),
  })),
];

let folder: string;
/** A cluster of an earlier version with a project and a second database. */
let former: string;
/** Folder of the cluster that several tests share. */
let shared: string;
/** A cluster for one test. */
let cluster: string;
let running: EmbeddedPostgres | undefined;

beforeAll(async () => {
  folder = await newFolder();
  former = join(folder, 'postgres');
  shared = await newFolder();
  await initialiseFormerCluster(former, OWNER_PASSWORD);
  const server = await startPlainServer(former);
  const url = server.urlOf('postgres', OWNER_PASSWORD);
  await migrateAsFormerVersion(url, join(folder, 'migrations'));
  const [project = '', placeholder = ''] = await Promise.all(
    ['./testing/former-project.sql', '../../testing/cron-placeholder.sql'].map((file) =>
      readFile(new URL(file, import.meta.url), 'utf8'),
    ),
  );
  await runSql(
    url,
    project.replace('-- placeholder of pg_cron', () => placeholder),
  );
  await runSql(url, 'create database other');
  await runSql(
    server.urlOf('postgres', OWNER_PASSWORD, 'other'),
    `create table things (id serial primary key); alter table things owner to supabase_admin;
     create table stuff (id int); grant select on stuff to supabase_admin`,
  );
  await server.stop();
}, 60_000);
afterAll(() => Promise.all([folder, shared].map((path) => rm(path, { recursive: true, force: true }))));

afterEach(async () => {
  await running?.stop();
  running = undefined;
});

async function newFolder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'greenroom-roles-'));
  await chmod(path, 0o711);
  return path;
}

const PASSWORDS: { password: string; superuserPassword: string; formerPasswords?: string[] } = {
  password: OWNER_PASSWORD,
  superuserPassword: SUPERUSER_PASSWORD,
};

function start(passwords = PASSWORDS, directory = cluster): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({ directory, port: 0, portIsFixed: false, ...passwords });
}

/** Starts the cluster of one test. */
async function startOwn(passwords = PASSWORDS): Promise<EmbeddedPostgres> {
  running = await start(passwords);
  return running;
}

function inDatabase(url: string, name: string): string {
  const target = new URL(url);
  target.pathname = `/${name}`;
  return target.href;
}

const column = async (url: string, sql: string) =>
  (await runSql(url, sql)).map((row) => Object.values(row)[0] as string);

/** Objects of a role in the current database. PostgreSQL records owners except the bootstrap superuser. */
const ownedBy = (url: string, role: string) =>
  column(
    url,
    `select pg_describe_object(classid, objid, objsubid) from pg_shdepend
     where refclassid = 'pg_authid'::regclass and refobjid = '${role}'::regrole and deptype = 'o'
       and dbid in (0, (select oid from pg_database where datname = current_database())) order by 1`,
  );

/** The state of roles and rights that does not depend on how often the change of roles was interrupted. */
async function stateOf({ url, superuser }: EmbeddedPostgres) {
  const other = inDatabase(superuser.url, 'other');
  return {
    roles: await runSql(url, ROLES),
    members: await column(url, MEMBERS),
    settings: await column(url, SETTINGS),
    owned: await ownedBy(url, 'postgres'),
    ownedInOther: await ownedBy(other, 'postgres'),
    ofSuperuser: await column(url, OF_SUPERUSER),
    defaults: await column(url, DEFAULTS),
    grants: await column(url, GRANTS),
    policies: await column(url, `select roles::text from pg_policies where policyname = 'mine'`),
    comments: await column(
      url,
      `select shobj_description('postgres'::regrole, 'pg_authid') || ', ' || obj_description('public.products'::regclass)`,
    ),
    // Only superusers and the mapped role see the options.
    mappings: await column(superuser.url, 'select usename || umoptions::text from pg_user_mappings'),
    remaining: await column(superuser.url, HAND_OVER_STATEMENTS),
  };
}

const ROLES = `
  select rolname as name, rolsuper as superuser, rolcanlogin as login, rolcreaterole as createrole, oid = 10 as bootstrap
  from pg_roles where rolname ~ '^(postgres|supabase_admin.*|greenroom_.*)$' order by 1`;
const MEMBERS = `
  select format('%s: %s %s', member::regrole, roleid::regrole, case when admin_option then 'with admin' end)
  from pg_auth_members
  where 'postgres'::regrole in (member, roleid) or 'supabase_admin'::regrole in (member, roleid) order by 1`;
const SETTINGS = `
  select format('%s %s %s', setrole::regrole, datname, setconfig) from pg_db_role_setting
  left join pg_database d on d.oid = setdatabase where setrole in (10, 'postgres'::regrole) order by 1`;
const OF_SUPERUSER = `
  select 'function ' || oid::regprocedure from pg_proc where proowner = 10 and oid >= 16384 and pronamespace = 'public'::regnamespace
  union all select 'publication ' || pubname from pg_publication where pubowner = 10
  union all select 'event trigger ' || evtname from pg_event_trigger where evtowner = 10
  union all select 'schema ' || nspname from pg_namespace where nspowner = 10 and oid >= 16384
  order by 1`;
const DEFAULTS = `
  select format('%s %s %s %s', defaclrole::regrole, nullif(defaclnamespace, 0)::regnamespace, defaclobjtype, defaclacl)
  from pg_default_acl where defaclnamespace is distinct from to_regnamespace('public') order by 1`;
const GRANTS = `
  select format('%s %s', relname, relacl) from pg_class
  where oid in ('public.products'::regclass, 'shop.of_clerk'::regclass, 'shop.of_admin'::regclass)
  union all select format('%s %s', nspname, nspacl) from pg_namespace where nspname = 'shop' order by 1`;

describe('a cluster of an earlier version', () => {
  let converted: EmbeddedPostgres;
  let state: Awaited<ReturnType<typeof stateOf>>;

  // The tests share a cluster, in this order.
  beforeAll(async () => {
    await copyFolder(former, join(shared, 'postgres'));
    const server = await startPlainServer(join(shared, 'postgres'));
    await runSql(
      server.urlOf('postgres', OWNER_PASSWORD),
      `alter database postgres set shop.is_closed = 'on'; alter role postgres password 'former'`,
    );
    await server.stop();
    converted = await start({ ...PASSWORDS, formerPasswords: ['former'] }, join(shared, 'postgres'));
    state = await stateOf(converted);
  });
  afterAll(() => converted.stop());
  beforeEach(async () => {
    cluster = join(await newFolder(), 'postgres');
  });
  afterEach(async () => {
    await running?.stop();
    running = undefined;
    await rm(join(cluster, '..'), { recursive: true, force: true });
  });

  it('is handed over to the new postgres, and no event trigger of the project prevents it', () => {
    expect(state).toMatchInlineSnapshot(`
      {
        "comments": [
          "the owner, wares",
        ],
        "defaults": [
          "clerk shop r {supabase_admin=r*/clerk,postgres=r*/clerk}",
          "postgres  f {postgres=X/postgres}",
          "postgres shop r {anon=r/postgres,postgres=r/postgres}",
          "supabase_admin  f {supabase_admin=X/supabase_admin}",
          "supabase_admin shop r {supabase_admin=r/supabase_admin,anon=r/supabase_admin}",
        ],
        "grants": [
          "of_admin {postgres=arwdDxtm/postgres,anon=r/postgres}",
          "of_clerk {clerk=arwdDxtm/clerk,supabase_admin=ar/clerk,postgres=ar/clerk}",
          "products {postgres=arwdDxtm/postgres,anon=arwdDxtm/postgres,authenticated=arwdDxtm/postgres,service_role=arwdDxtm/postgres}",
          "shop {postgres=UC/postgres,clerk=U/postgres}",
        ],
        "mappings": [
          "postgres{user=ann,"password=it's a secret"}",
        ],
        "members": [
          "intern: postgres ",
          "postgres: clerk with admin",
        ],
        "ofSuperuser": [
          "event trigger pgrst_ddl_watch",
          "event trigger pgrst_drop_watch",
          "event trigger watch_tables",
          "function watch()",
          "publication everything",
          "publication supabase_realtime_messages_publication",
          "schema cron",
          "schema graphql",
          "schema graphql_public",
          "schema greenroom",
          "schema pgsodium",
          "schema supabase_functions",
          "schema vault",
        ],
        "owned": [
          "collation german",
          "conversion to_latin",
          "database other",
          "database postgres",
          "default privileges on new functions belonging to role postgres",
          "default privileges on new functions belonging to role postgres in schema public",
          "default privileges on new relations belonging to role postgres in schema public",
          "default privileges on new relations belonging to role postgres in schema shop",
          "default privileges on new sequences belonging to role postgres in schema public",
          "foreign table remote_things",
          "function add_profile()",
          "function auth.is_ann()",
          "function equal(integer,integer)",
          "function span(double precision,double precision)",
          "function span(double precision,double precision,text)",
          "function span_multirange()",
          "function span_multirange(span)",
          "function span_multirange(span[])",
          "function sum_all(integer)",
          "function total()",
          "function work()",
          "large object 4711",
          "materialized view totals",
          "operator ===(integer,integer)",
          "operator class int_class for access method hash",
          "operator family int_class for access method hash",
          "publication shop_changes",
          "publication supabase_realtime",
          "schema extensions",
          "schema shop",
          "schema supabase_migrations",
          "sequence numbers",
          "sequence products_code_seq",
          "sequence products_id_seq",
          "server remote",
          "statistics object sizes",
          "subscription shop_copies",
          "table events",
          "table events_2026",
          "table of_admin",
          "table products",
          "table realtime.notes",
          "table supabase_migrations.schema_migrations",
          "text search configuration search",
          "text search dictionary words",
          "type pair",
          "type price",
          "type size",
          "type span",
          "user mapping for postgres on server remote",
          "view cheap",
        ],
        "ownedInOther": [
          "database other",
          "database postgres",
          "sequence things_id_seq",
          "subscription shop_copies",
          "table stuff",
          "table things",
        ],
        "policies": [
          "{clerk,postgres}",
        ],
        "remaining": [],
        "roles": [
          {
            "bootstrap": false,
            "createrole": true,
            "login": true,
            "name": "postgres",
            "superuser": false,
          },
          {
            "bootstrap": true,
            "createrole": true,
            "login": true,
            "name": "supabase_admin",
            "superuser": true,
          },
        ],
        "settings": [
          "postgres  {statement_timeout=1min}",
          "postgres postgres {"search_path=\\"$user\\", public, shop"}",
        ],
      }
    `);
  });

  it('keeps the rights of the project, except those of a superuser', async () => {
    const { url } = converted;
    await runSql(
      url,
      `set shop.is_closed = off; insert into public.products (price) values (4); drop view public.cheap;
       alter table shop.events add column name text; create or replace procedure shop.work() language sql as 'select 2'`,
    );
    expect(await runSql(url, 'select count(*)::int from public.products')).toEqual([{ count: 2 }]);
    await expect(runSql(url, 'create role root superuser')).rejects.toMatchObject({ code: '42501' });
    await expect(runSql(url, 'drop event trigger watch_tables')).rejects.toMatchObject({ code: '42501' });
    const intern = url.replace(/\/\/.*@/, '//intern:intern@');
    await runSql(intern, 'select from public.products');
    await expect(runSql(intern, 'set role supabase_admin')).rejects.toMatchObject({ code: '42501' });
  });

  it('is migrated', async () => {
    const { superuser, url } = converted;
    await runSql(superuser.url, 'alter database postgres reset shop.is_closed');
    await migrate(withSystemSearchPath(superuser.url), CURRENT_MIGRATIONS);
    expect(
      await column(url, `select extname from pg_extension where extowner <> 'postgres'::regrole`),
    ).toEqual(['plpgsql']);
    await runSql(
      url,
      `select 1 / cron.unschedule('nightly')::int; select cron.schedule('nightly', '0 4 * * *', 'vacuum'); drop extension hstore; create policy more on storage.objects for select using (true); drop policy files on storage.objects;
       drop trigger on_user on auth.users; alter publication supabase_realtime drop table public.products`,
    );
  });

  it.each([
    ['after the superuser was renamed', async () => {}],
    ['while objects were handed over', handOverSome],
    ['between two databases', (urlOf: UrlOf) => handOverDatabase(urlOf('postgres'))],
    [
      'before the former role was removed',
      async (urlOf: UrlOf) => {
        for (const name of ['template1', 'postgres', 'other']) await handOverDatabase(urlOf(name));
      },
    ],
  ])('reaches the same state if the server was killed %s', async (_, proceed) => {
    await copyFolder(former, cluster);
    const server = await startPlainServer(cluster);
    const client = new pg.Client({
      connectionString: server.urlOf('postgres', OWNER_PASSWORD),
      options: '-c search_path=pg_catalog -c event_triggers=off',
    });
    await client.connect();
    const statements = [
      ...renameSuperuser('postgres', true),
      await passwordStatement('supabase_admin', SUPERUSER_PASSWORD),
    ];
    await client.query(['begin', ...statements, 'commit'].join(';'));
    await client.end();
    await proceed((database) => server.urlOf('supabase_admin', SUPERUSER_PASSWORD, database));
    await server.kill();
    const settings = state.settings.filter((setting) => !setting.includes('shop.is_closed'));
    expect(await stateOf(await startOwn())).toEqual({ ...state, settings });
  });

  it('keeps the former roles if the change fails', async () => {
    await copyFolder(former, cluster);
    const server = await startPlainServer(cluster);
    const url = server.urlOf('postgres', OWNER_PASSWORD);
    await runSql(url, 'create role greenroom_rename_superuser');
    await server.stop();
    await expect(startOwn()).rejects.toThrow('role "greenroom_rename_superuser" already exists');
    const again = await startPlainServer(cluster);
    const roles = await column(
      again.urlOf('postgres', OWNER_PASSWORD),
      'select rolname from pg_roles where rolsuper',
    );
    await again.stop();
    expect(roles).toEqual(['postgres']);
  });
});

type UrlOf = (database: string) => string;

async function handOverSome(urlOf: UrlOf): Promise<void> {
  const client = await connectAsSuperuser(urlOf('postgres'));
  const { rows } = await client.query<{ statement: string }>(HAND_OVER_STATEMENTS);
  for (const { statement } of rows.slice(0, rows.length / 2)) await client.query(statement);
  await client.end();
}

// The tests share a cluster; each starts it again.
describe('a new cluster', () => {
  let path: string;

  beforeAll(async () => {
    path = join(await newFolder(), 'postgres');
  });
  afterAll(() => rm(join(path, '..'), { recursive: true, force: true }));
  beforeEach(() => {
    cluster = path;
  });

  it('has both roles, each with its password', async () => {
    const { url, superuser } = await startOwn();
    expect(await runSql(url, ROLES)).toEqual([
      { name: 'postgres', superuser: false, login: true, createrole: true, bootstrap: false },
      { name: 'supabase_admin', superuser: true, login: true, createrole: true, bootstrap: true },
    ]);
    expect(new URL(superuser.url).username).toBe('supabase_admin');
    expect(await runSql(superuser.url, 'select current_user')).toEqual([{ current_user: 'supabase_admin' }]);
    await expect(
      runSql(superuser.url.replace('supabase_admin:', 'postgres:'), 'select'),
    ).rejects.toMatchObject({ code: '28P01' });
  });

  it('takes another password of postgres at the next start', async () => {
    const { url } = await startOwn({ password: 'postgres', superuserPassword: SUPERUSER_PASSWORD });
    expect(new URL(url).password).toBe('postgres');
    expect(await runSql(url, 'select current_user')).toEqual([{ current_user: 'postgres' }]);
  });

  it('refuses to start with another password of the superuser', async () => {
    await expect(startOwn({ password: OWNER_PASSWORD, superuserPassword: 'another' })).rejects.toThrow(
      'no password in "keys.json" is that of the superuser of the database cluster',
    );
  });
});
