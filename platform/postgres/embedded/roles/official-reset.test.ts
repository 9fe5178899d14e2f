/**
 * `supabase db reset --db-url` of the Supabase CLI 3.1.0 empties a database as `postgres`: it drops everything outside of
 * the schemas that it knows by name or that belong to supabase_admin, and all policies. It stops at the first error.
 */
import { createTestDatabase, type TestDatabase } from '@greenroom/testing';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../database.ts';

const KEPT_SCHEMAS = `'^(pg_.*|information_schema|_analytics|_realtime|_supavisor|pgbouncer|pgmq|pgsodium|pgtle|${[
  'supabase_migrations',
  'vault',
  'extensions',
  'public',
].join('|')})$'`;
const KEPT_EXTENSIONS = `'pg_graphql', 'pg_net', 'pg_stat_statements', 'pgcrypto', 'pgjwt', 'pgsodium', 'plpgsql',
  'supabase_vault', 'uuid-ossp'`;

/** Each query returns the statements of one step, in the order of the CLI. */
const STEPS = [
  `select format('drop schema if exists %I cascade', nspname) from pg_namespace
    where nspname !~ ${KEPT_SCHEMAS} and nspowner::regrole::text <> 'supabase_admin' and not exists (
      select from pg_depend where classid = 'pg_namespace'::regclass and objid = pg_namespace.oid)`,
  `select format('drop extension if exists %I cascade', extname) from pg_extension where extname not in (${KEPT_EXTENSIONS})`,
  `select format('drop routine if exists %s cascade', oid::regprocedure) from pg_proc
    where pronamespace = 'public'::regnamespace`,
  `select format('drop view if exists %s cascade', oid::regclass) from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'v'`,
  `select format('drop table if exists %s cascade', oid::regclass) from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`,
  `select format('truncate %s cascade', oid::regclass) from pg_class
    where relkind = 'r' and relnamespace::regnamespace::text in ('auth', 'supabase_functions', 'supabase_migrations')
      and relname not in ('schema_migrations', 'migrations')`,
  `select format('drop type if exists %s cascade', oid::regtype) from pg_type
    where typnamespace = 'public'::regnamespace and typtype <> 'b'`,
  `select format('drop policy if exists %I on %I.%I cascade', policyname, schemaname, tablename) from pg_policies`,
  `select format('drop publication if exists %I', pubname) from pg_publication where pubname !~ '^(supabase_realtime|realtime_messages)'`,
];

const PROJECT = `
  create schema shop;
  create table shop.products (id int primary key);
  create extension citext with schema public;
  create type public.size as enum ('small', 'large');
  create table public.profiles (id uuid primary key references auth.users (id), size public.size);
  alter table public.profiles enable row level security;
  create policy own on public.profiles using (id = auth.uid());
  create policy own on storage.objects for select to authenticated using (owner_id = auth.uid()::text);
  create view public.sizes as select size from public.profiles;
  create function public.add_profile() returns trigger language plpgsql security definer set search_path = ''
    as $$ begin insert into public.profiles values (new.id); return new; end $$;
  create trigger on_user after insert on auth.users for each row execute function public.add_profile();
  create publication changes for table public.profiles;
  insert into auth.users (id, email) values ('00000000-0000-4000-8000-000000000001', 'ann@example.org')`;

describe('a reset by the Supabase CLI', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
    const client = new pg.Client({ connectionString: database.ownerUrl });
    client.on('notice', () => undefined);
    await client.connect();
    try {
      await client.query(PROJECT);
      for (const step of STEPS) {
        const { rows } = await client.query({ text: step, rowMode: 'array' });
        for (const [statement] of rows) await client.query(statement);
      }
    } finally {
      await client.end();
    }
  });
  afterAll(() => database.drop());

  it('removes the objects of the project, all policies and all accounts', async () => {
    const left = await database.admin.query({
      text: `
        select nspname::text as name from pg_namespace where nspname = 'shop'
        union all select relname from pg_class where relnamespace = 'public'::regnamespace
        union all select proname from pg_proc where pronamespace = 'public'::regnamespace
        union all select extname from pg_extension where extname = 'citext'
        union all select policyname from pg_policies
        union all select pubname from pg_publication where pubname = 'changes'
        union all select tgname from pg_trigger where tgname = 'on_user'
        union all select email from auth.users`,
    });
    expect(left).toEqual([]);
  });

  it('keeps the schemas and the publications of services', async () => {
    const kept = await database.admin.query({
      text: `select nspname as name from pg_namespace where nspname in ('auth', 'storage', 'realtime', 'greenroom')
        union all select pubname from pg_publication order by 1`,
    });
    expect(kept.map(({ name }) => name)).toEqual([
      'auth',
      'greenroom',
      'realtime',
      'storage',
      'supabase_realtime',
      'supabase_realtime_messages_publication',
    ]);
  });

  it('leaves authentication able to send messages, and storage able to read its identity', async () => {
    await database.auth.query({
      text: `insert into greenroom.outbox (channel, kind, recipient, text_body, state)
        values ('mail', 'recovery', 'ann@example.org', 'Hello', 'queued')`,
    });
    expect(await database.admin.query({ text: 'select recipient from greenroom.messages' })).toEqual([
      { recipient: 'ann@example.org' },
    ]);
    const storage = openDatabase({ url: database.storageUrl, max: 1, applicationName: 'test' });
    const rows = await storage
      .query({ text: 'select id from greenroom.instance for update' })
      .finally(() => storage.close());
    expect(rows).toEqual([{ id: null }]);
  });
});
