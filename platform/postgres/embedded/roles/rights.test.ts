import { createTestDatabase, type TestDatabase } from '@greenroom/testing';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.ownerUrl });
  client.on('notice', () => undefined);
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

beforeEach(async () => {
  await client.query('begin');
});
afterEach(async () => {
  await client.query('rollback');
});

const USER = `insert into auth.users (id, email) values ('00000000-0000-4000-8000-000000000001', 'ann@example.org')`;
const TRIGGER = `
  create table public.profiles (id uuid primary key references auth.users (id) on delete cascade);
  create function public.add_profile() returns trigger language plpgsql security definer set search_path = ''
    as $$ begin insert into public.profiles values (new.id); return new; end $$;
  create trigger on_user after insert on auth.users for each row execute function public.add_profile()`;

describe('postgres', () => {
  it('has the attributes that it has on the hosted service', async () => {
    const { rows } = await client.query(
      `select rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls, rolcanlogin,
        (select datdba::regrole::text from pg_database where datname = current_database()) as owner
      from pg_roles where rolname = current_user`,
    );
    expect(rows).toEqual([
      {
        rolsuper: false,
        rolcreatedb: true,
        rolcreaterole: true,
        rolreplication: true,
        rolbypassrls: true,
        rolcanlogin: true,
        owner: 'postgres',
      },
    ]);
  });

  it.each([
    ['add a policy to storage.objects', 'create policy p on storage.objects for select to anon using (true)'],
    [
      'change and drop its policy on storage.objects',
      `create policy p on storage.objects for select using (true); alter policy p on storage.objects to anon;
       comment on policy p on storage.objects is 'a comment'; drop policy p on storage.objects`,
    ],
    ['add a policy to realtime.messages', 'create policy p on realtime.messages for select using (true)'],
    [
      'add a bucket',
      `insert into storage.buckets (id, name) values ('b', 'b'); update storage.buckets set public = true`,
    ],
    [
      'add a trigger to storage.objects',
      `create function public.f() returns trigger language plpgsql as 'begin return new; end';
       create trigger t before insert on storage.objects for each row execute function public.f();
       drop trigger t on storage.objects`,
    ],
    ['add a user', USER],
    [
      'grant rights on the schema of a service',
      `create role clerk; grant usage on schema auth, storage, realtime to clerk;
       select 1 / has_schema_privilege('clerk', 'auth', 'usage')::int`,
    ],
    [
      'add a trigger to auth.users, which fires',
      `${TRIGGER}; ${USER}; select 1 / count(*) from public.profiles`,
    ],
    [
      'drop its trigger on auth.users',
      `${TRIGGER}; drop trigger on_user on auth.users; drop trigger if exists no on auth.users`,
    ],
    [
      'drop a table with a reference to auth.users',
      `${TRIGGER}; drop table public.profiles cascade; drop function public.add_profile() cascade`,
    ],
    [
      'repeat that storage.objects has row-level security',
      '-- no change\nalter table storage.objects enable row level security;',
    ],
    [
      'grant rights on tables of services',
      'grant select on auth.users, storage.objects to service_role; grant usage on schema auth to anon',
    ],
    [
      'add its table to the publication',
      'create table public.t (id int primary key); alter publication supabase_realtime add table public.t',
    ],
    ['replace the publication', 'drop publication supabase_realtime; create publication supabase_realtime'],
    ['create a publication', 'create table public.t (); create publication p for table public.t'],
    ['switch triggers off for its session', 'set session_replication_role = replica'],
    [
      'set parameters that the hosted service lets it set',
      'set log_min_messages = error; set track_io_timing = on; set auto_explain.log_min_duration = 0',
    ],
    [
      'create a role and become it',
      'create role clerk; grant clerk to postgres; set role clerk; reset role; drop role clerk',
    ],
    [
      'set the limits of the roles of requests',
      `alter role anon set statement_timeout = '5s'; alter role authenticated set statement_timeout = '9s'; alter role service_role set statement_timeout = '1min'`,
    ],
    [
      'set parameters of the data API',
      `alter role authenticator set pgrst.db_aggregates_enabled = 'true'; alter role authenticator set statement_timeout = '10s'`,
    ],
    ['become the roles of requests', 'set role anon; set role authenticated; set role service_role'],
    ['give a role to authenticator', 'create role staff; grant staff to authenticator'],
    [
      'create schemas',
      'create schema app; create schema if not exists extensions; create schema if not exists vault',
    ],
    [
      'set parameters of the database',
      `do $$ begin execute format('alter database %I set timezone = %L', current_database(), 'UTC'); end $$`,
    ],
    [
      'create functions in the schema extensions',
      'create function extensions.f() returns int language sql as $$ select 1 $$',
    ],
    [
      'use functions of extensions',
      `select extensions.uuid_generate_v4(), extensions.crypt('a', extensions.gen_salt('bf', 4))`,
    ],
    [
      'drop and create an extension of a new database',
      'drop extension pgcrypto; create extension pgcrypto with schema extensions',
    ],
    [
      'create a foreign server',
      `create extension postgres_fdw with schema extensions; create server s foreign data wrapper postgres_fdw;
       create user mapping for postgres server s options (user 'a', password 'b'); create foreign table public.ft (id int) server s`,
    ],
    [
      'read the rows of every schema',
      'select * from auth.sessions; select * from greenroom.migrations; select * from pg_stat_activity',
    ],
    [
      'change its default privileges',
      'alter default privileges in schema public revoke all on tables from anon',
    ],
    ['comment on its schema', `comment on schema public is 'standard public schema'`],
    [
      'create a subscription',
      `create subscription s connection 'host=127.0.0.1 password=x' publication p with (connect = false)`,
    ],
  ])('can %s', async (_, sql) => {
    await client.query(sql);
  });

  it.each([
    ['become the superuser', 'set role supabase_admin', 'permission denied to set role "supabase_admin"'],
    [
      'become a service',
      'set role supabase_auth_admin',
      'permission denied to set role "supabase_auth_admin"',
    ],
    [
      'join the superuser',
      'grant supabase_admin to postgres',
      'permission denied to grant role "supabase_admin"',
    ],
    [
      'pass on the rights of a service',
      'grant supabase_storage_admin to anon',
      'permission denied to grant role "supabase_storage_admin"',
    ],
    ['alter the superuser', `alter role supabase_admin password 'x'`, 'permission denied to alter role'],
    ['alter a service', `alter role supabase_auth_admin password 'x'`, 'permission denied to alter role'],
    [
      'set parameters of a service',
      `alter role supabase_auth_admin set search_path = ''`,
      'permission denied to alter role',
    ],
    ['drop a service', 'drop role supabase_realtime_admin', 'permission denied to drop role'],
    ['create a superuser', 'create role root superuser', 'permission denied to create role'],
    ['become a superuser', 'alter role postgres superuser', 'permission denied to alter role'],
    [
      'run programs',
      `copy (select 1) to program 'true'`,
      'permission denied to COPY to or from an external program',
    ],
    ['read files', `select pg_read_file('PG_VERSION')`, 'permission denied for function pg_read_file'],
    ['read files as a table', `copy pg_class from E'/etc/passwd'`, 'permission denied'],
    [
      'join roles that read files',
      'grant pg_read_server_files to postgres',
      'permission denied to grant role "pg_read_server_files"',
    ],
    ['import files', `select lo_import('/etc/passwd')`, 'permission denied for function lo_import'],
    [
      'create extensions that read files',
      'create extension file_fdw',
      'permission denied to create extension "file_fdw"',
    ],
    [
      'create extensions that read pages',
      'create extension pageinspect',
      'permission denied to create extension "pageinspect"',
    ],
    [
      'create untrusted functions',
      `create function public.f() returns int language c as 'x', 'y'`,
      'permission denied for language c',
    ],
    [
      'create event triggers',
      'create event trigger e on ddl_command_end execute function extensions.pgrst_ddl_watch()',
      'permission denied to create event trigger "e"',
    ],
    [
      'replace functions of event triggers',
      'create or replace function extensions.pgrst_ddl_watch() returns event_trigger language plpgsql as $$ begin end $$',
      'must be owner of function pgrst_ddl_watch',
    ],
    ['load libraries', `load '$libdir/pgcrypto'`, 'access to library "$libdir/pgcrypto" is not allowed'],
    [
      'publish all tables',
      'create publication p for all tables',
      'must be superuser to create FOR ALL TABLES publication',
    ],
    [
      'log values of users',
      `set log_min_error_statement = error`,
      'permission denied to set parameter "log_min_error_statement"',
    ],
    [
      'set parameters of projects',
      `do $$ begin execute format('alter database %I set app.settings.secret = 1', current_database()); end $$`,
      'permission denied to set parameter "app.settings.secret"',
    ],
    [
      'add a column to auth.users',
      'alter table auth.users add column nickname text',
      'must be owner of table auth.users',
    ],
    [
      'switch row-level security off',
      'alter table storage.objects disable row level security',
      'must be owner of table storage.objects',
    ],
    [
      'move a table of a service',
      'alter table auth.users set schema public',
      'must be owner of table public.users',
    ],
    [
      'move a function of a service',
      'alter function auth.uid() set schema public',
      'must be owner of function public.uid()',
    ],
    [
      'move a type of a service',
      'alter type auth.aal_level set schema public',
      'must be owner of type public.aal_level',
    ],
    [
      'take a table of a service',
      'alter table auth.users owner to postgres',
      'must be owner of table auth.users',
    ],
    ['drop a table of a service', 'drop table auth.sessions cascade', 'must be owner of'],
    ['drop a schema of a service', 'drop schema storage cascade', 'must be owner of'],
    [
      'create functions in a schema of a service',
      'create function auth.f() returns int language sql as $$ select 1 $$',
      'permission denied for schema auth',
    ],
    [
      'replace functions of a service',
      'create or replace function auth.uid() returns uuid language sql as $$ select null::uuid $$',
      'permission denied for schema auth',
    ],
    [
      'create tables in a schema of a service',
      'create table storage.t ()',
      'permission denied for schema storage',
    ],
    ['rename a schema of a service', 'alter schema auth rename to hidden', 'must be owner of schema auth'],
    ['drop all tables of a service', 'drop owned by supabase_auth_admin cascade', 'must be owner of'],
    [
      'add a rule to a table of a service',
      'create rule r as on delete to auth.users do instead nothing',
      'must be owner of',
    ],
    [
      'publish a table of a service',
      'alter publication supabase_realtime add table auth.users',
      'must be owner of',
    ],
    ['create indexes on a table of a service', 'create index on auth.users (role)', 'permission denied'],
    [
      'do so without triggers',
      'set session_replication_role = replica; drop index auth.users_instance_id_email_idx',
      'must be owner of index auth.users_instance_id_email_idx',
    ],
    [
      'drop triggers of the schema watch',
      'drop event trigger greenroom_protect_changed_objects',
      'must be owner of event trigger greenroom_protect_changed_objects',
    ],
    [
      'write to tables of Greenroom',
      'delete from greenroom.first_admin_links',
      'permission denied for table first_admin_links',
    ],
  ])('cannot %s', async (_, sql, message) => {
    await expect(client.query(sql)).rejects.toMatchObject({
      code: expect.stringMatching(/^(42501|0LP01)$/),
      message: expect.stringContaining(message),
    });
  });

  it('cannot change the configuration of the server', async () => {
    await client.query('rollback');
    await expect(client.query(`alter system set work_mem = '1GB'`)).rejects.toMatchObject({
      message: 'permission denied to set parameter "work_mem"',
    });
  });
});

describe('extensions of the hosted service', () => {
  it.each([
    'autoinc',
    'bloom',
    'btree_gin',
    'btree_gist',
    'citext',
    'cube',
    'dblink',
    'dict_int',
    'dict_xsyn',
    'earthdistance',
    'fuzzystrmatch',
    'hstore',
    'http',
    'hypopg',
    'index_advisor',
    'insert_username',
    'intarray',
    'isn',
    'ltree',
    'moddatetime',
    'pg_cron',
    'pg_graphql',
    'pg_net',
    'pg_prewarm',
    'pg_repack',
    'pg_stat_monitor',
    'pg_stat_statements',
    'pg_tle',
    'pg_trgm',
    'pg_walinspect',
    'pgaudit',
    'pgcrypto',
    'pgjwt',
    'pgmq',
    'pgrowlocks',
    'pgsodium',
    'pgstattuple',
    'plpgsql_check',
    'postgres_fdw',
    'refint',
    'seg',
    'sslinfo',
    'supabase_vault',
    'tablefunc',
    'tcn',
    'tsm_system_rows',
    'tsm_system_time',
    'unaccent',
    'uuid-ossp',
    'wrappers',
  ])('%s is created, described and dropped by postgres', async (name) => {
    await client.query(`drop extension if exists "${name}"`);
    await client
      .query(`create extension "${name}" with schema extensions cascade`)
      .catch(async (error: pg.DatabaseError) => {
        // The control file names the schema.
        if (!/must be installed in schema/.test(error.message)) throw error;
        await client.query('rollback');
        await client.query(`begin; create extension "${name}" cascade`);
      });
    await client.query(`comment on extension "${name}" is 'a comment of a dump'; drop extension "${name}"`);
  });

  it.each([
    ['pg_cron', `select cron.schedule('* * * * *', 'vacuum'), count(*) from cron.job`],
    ['pgmq', `select pgmq.create('tasks'), count(*) from pgmq.meta`],
    ['pg_net', 'select * from net._http_response'],
    ['supabase_vault', 'select * from vault.decrypted_secrets'],
    ['pgsodium', 'select * from pgsodium.valid_key'],
    ['pg_graphql', `select graphql.resolve('{ x }')`],
  ])('postgres may use the objects of %s', async (name, query) => {
    await client.query(`create extension if not exists ${name}`);
    await client.query(query);
  });

  it.each([['http', 'http_get']])(
    'postgres may call functions of %s, which is a placeholder',
    async (name, called) => {
      await client.query(`create extension if not exists ${name}`);
      await expect(client.query(`select ${called}('x')`)).rejects.toMatchObject({ code: '0A000' });
    },
  );

  it('run no function of the project as superuser', async () => {
    await client.query(`
      drop extension pg_net;
      create function extensions.format(text, text) returns text language plpgsql as $$
      begin
        if (select rolsuper from pg_catalog.pg_roles where rolname = current_user) then
          raise exception 'called as superuser';
        end if;
        return '';
      end $$;
      create schema if not exists graphql;
      create extension pg_net with schema extensions`);
  });
});

it('only these functions run as the superuser for their callers, with a search path of PostgreSQL', async () => {
  const { rows } = await client.query(
    `select oid::regproc::text as name, 'search_path=pg_catalog, pg_temp' = any (proconfig) as "isPinned"
      from pg_proc where proowner = 10 and prosecdef order by 1`,
  );
  expect(rows).toEqual([
    { name: 'greenroom.move_extension', isPinned: true },
    { name: 'greenroom.page_url', isPinned: true },
    { name: 'greenroom.send_mail', isPinned: true },
    { name: 'vault._crypto_aead_det_decrypt', isPinned: true },
    { name: 'vault._crypto_aead_det_encrypt', isPinned: true },
  ]);
});

it('the roles of requests read what postgres creates', async () => {
  await client.query(
    'create table public.t (id serial primary key); set local role anon; insert into public.t default values',
  );
});
