/** Each lint on a real database: a schema with the problem, and one without. */
import { openSession, type Session } from '@greenroom/postgres';
import { createTestDatabase, type TestDatabase } from '@greenroom/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runLints } from './advise.ts';
import type { Finding } from './lint.ts';
import { LINTS } from './lints.ts';

const EXPOSED = ['public', 'pgmq_public'];

let database: TestDatabase;
let session: Session;

beforeAll(async () => {
  database = await createTestDatabase();
  session = await openSession({ url: database.url, applicationName: 'test' });
});
afterAll(async () => {
  await session.close();
  await database.drop();
});

/** Runs a script in a transaction that is rolled back, and returns the findings of a lint as the owner of the database. */
async function findingsOf(name: string, script: string): Promise<Finding[]> {
  const texts = [
    'begin',
    'set local role postgres',
    `do $script$ begin execute $sql$${script}$sql$; end $script$`,
    'set local role postgres',
    "set local search_path = ''",
  ];
  await session.batch(texts.map((text) => ({ text })));
  try {
    return await runLints(
      LINTS.filter((lint) => lint.name === name),
      EXPOSED,
      (statements) => session.batch(statements),
    );
  } finally {
    await session.batch([{ text: 'rollback' }]);
  }
}

/** A lint with a script that makes it report a problem, and one that does not. */
interface Case {
  name: string;
  problem: string;
  /** A part of the detail of each finding, in order. */
  details: string[];
  metadata: Record<string, unknown>;
  sound: string;
}

const NOTES = 'create table notes (id int primary key, owner uuid, title text);';
const EXPOSED_NOTES = `${NOTES} grant select on notes to anon, authenticated;`;
const SECURED_NOTES = `${EXPOSED_NOTES} alter table notes enable row level security;`;
/** Functions in C make a difference between pg_graphql and its placeholder. */
const REAL_GRAPHQL = `reset role;
  create extension if not exists pg_graphql;
  create function graphql.compiled() returns trigger language c as '$libdir/lo', 'lo_manage';
  alter extension pg_graphql add function graphql.compiled();`;

const CASES: Case[] = [
  {
    name: 'unindexed_foreign_keys',
    problem: `${NOTES} create table tags (id int primary key, note int references notes);
      create index on tags (id, note);`,
    details: ['foreign key tags_note_fkey of table public.tags'],
    metadata: {
      schema: 'public',
      name: 'tags',
      type: 'table',
      fkey_name: 'tags_note_fkey',
      fkey_columns: [2],
    },
    sound: `create table pairs (a int, b int, primary key (a, b));
      create table uses (a int, b int, c int, foreign key (a, b) references pairs);
      create index on uses (b, a, c);`,
  },
  {
    name: 'auth_users_exposed',
    problem: 'create view people as select id, email from auth.users; grant select on people to anon;',
    details: ['view public.people shows rows of auth.users to anon'],
    metadata: { schema: 'public', name: 'people', exposed_to: expect.arrayContaining(['anon']) },
    sound: `create view invoker with (security_invoker) as select id from auth.users;
      create view hidden as select id from auth.users; revoke all on hidden from anon, authenticated;
      grant select on invoker to anon;`,
  },
  {
    name: 'auth_rls_initplan',
    problem: `${SECURED_NOTES} create policy own on notes using (auth.uid() = owner);
      create policy own on realtime.messages for select using (current_setting('request.jwt.claims') <> '');`,
    details: ['policy own of table public.notes', 'policy own of table realtime.messages'],
    metadata: { schema: 'public', name: 'notes', type: 'table', policy_name: 'own' },
    sound: `${SECURED_NOTES} create policy own on notes using ((select auth.uid()) = owner);
      create policy claims on notes using ((select auth.jwt() ->> 'team') = title);`,
  },
  {
    name: 'no_primary_key',
    problem: 'create table log (text text unique);',
    details: ['Table public.log has no primary key'],
    metadata: { schema: 'public', name: 'log', type: 'table' },
    sound: `${NOTES} create table parts (id int primary key) partition by list (id);
      create table part partition of parts for values in (1);`,
  },
  {
    name: 'unused_index',
    problem: `${NOTES} create index titles on notes (title);`,
    details: ['index titles of table public.notes'],
    metadata: { schema: 'public', name: 'notes', type: 'table', index_name: 'titles' },
    sound: `${NOTES} create unique index on notes (title);`,
  },
  {
    name: 'multiple_permissive_policies',
    problem: `${SECURED_NOTES} create policy one on notes to authenticated using (true);
      create policy two on notes for select to authenticated using (true);`,
    details: ['permissive policies of authenticated for SELECT: one, two'],
    metadata: { role: 'authenticated', action: 'SELECT', policies: ['one', 'two'] },
    sound: `${SECURED_NOTES} create policy one on notes for select to anon using (true);
      create policy two on notes for select to authenticated using (true);
      create policy three on notes for insert to authenticated with check (true);
      create policy four on notes as restrictive for select to anon using (true);`,
  },
  {
    name: 'policy_exists_rls_disabled',
    problem: `${NOTES} create policy own on notes using (true);`,
    details: ['disabled on table public.notes, which has policies: own'],
    metadata: { schema: 'public', name: 'notes', policies: ['own'] },
    sound: `${SECURED_NOTES} create policy own on notes using (true);`,
  },
  {
    name: 'rls_enabled_no_policy',
    problem: SECURED_NOTES,
    details: ['enabled on table public.notes, which has no policies'],
    metadata: { schema: 'public', name: 'notes', type: 'table' },
    sound: `${SECURED_NOTES} create policy own on notes using (true);`,
  },
  {
    name: 'duplicate_index',
    problem: `${NOTES} create index a on notes (title, lower(title)); create index b on notes (title, lower(title));`,
    details: ['Table public.notes has equal indexes: a, b'],
    metadata: { schema: 'public', name: 'notes', indexes: ['a', 'b'] },
    sound: `${NOTES} create index a on notes (title); create index b on notes (title desc);
      create index c on notes (title) where owner is null; create index d on notes using hash (title);`,
  },
  {
    name: 'security_definer_view',
    problem: `${NOTES} create view titles as select title from notes; grant select on titles to anon;`,
    details: ['View public.titles'],
    metadata: { schema: 'public', name: 'titles', type: 'view' },
    sound: `${NOTES} create view titles with (security_invoker = on) as select title from notes;
      grant select on titles to anon;
      create schema hidden; create view hidden.all_notes as select * from notes;
      grant select on hidden.all_notes to anon;`,
  },
  {
    name: 'function_search_path_mutable',
    problem: 'create function one(a int) returns int language sql return a;',
    details: ['Function public.one(a integer)'],
    metadata: { schema: 'public', name: 'one', type: 'function', arguments: 'a integer' },
    sound: `create function one() returns int language sql set search_path = '' return 1;`,
  },
  {
    name: 'rls_disabled_in_public',
    problem: EXPOSED_NOTES,
    details: ['disabled on table public.notes, which is part of the data API'],
    metadata: { schema: 'public', name: 'notes', type: 'table' },
    sound: `${SECURED_NOTES} create table hidden (id int); revoke all on hidden from anon, authenticated;
      create schema internal; create table internal.log (id int); grant select on internal.log to anon;`,
  },
  {
    name: 'extension_in_public',
    problem: 'create extension pg_trgm with schema public;',
    details: ['extension pg_trgm'],
    metadata: { schema: 'public', name: 'pg_trgm', type: 'extension' },
    sound: 'create extension pg_trgm with schema extensions;',
  },
  {
    name: 'rls_references_user_metadata',
    problem: `${SECURED_NOTES}
      create policy role on notes using ((auth.jwt() -> 'user_metadata' ->> 'role') = 'editor');`,
    details: ['policy role of table public.notes'],
    metadata: { schema: 'public', name: 'notes', type: 'table', policy_name: 'role' },
    sound: `${SECURED_NOTES}
      create policy role on notes using ((auth.jwt() -> 'app_metadata' ->> 'role') = 'editor');`,
  },
  {
    name: 'materialized_view_in_api',
    problem: 'create materialized view one as select 1 as a; grant select on one to authenticated;',
    details: ['Materialized view public.one'],
    metadata: { schema: 'public', name: 'one', type: 'materialized view' },
    sound: 'create materialized view one as select 1 as a; revoke all on one from anon, authenticated;',
  },
  {
    name: 'foreign_table_in_api',
    problem: `reset role; create extension postgres_fdw; create server other foreign data wrapper postgres_fdw;
      create foreign table remote (id int) server other; grant select (id) on remote to anon;`,
    details: ['Foreign table public.remote'],
    metadata: { schema: 'public', name: 'remote', type: 'foreign table' },
    sound: `reset role; create extension postgres_fdw; create server other foreign data wrapper postgres_fdw;
      create foreign table remote (id int) server other; revoke all on remote from anon, authenticated;`,
  },
  {
    name: 'unsupported_reg_types',
    problem: 'create table jobs (id int primary key, run regprocedure);',
    details: ['column run of table public.jobs has the type regprocedure'],
    metadata: { schema: 'public', name: 'jobs', type: 'table', column: 'run' },
    sound: 'create table jobs (id int primary key, run text, target regclass, run_as regrole);',
  },
  {
    name: 'insecure_queue_exposed_in_api',
    problem: `create extension pgmq; select pgmq.create('mails'); grant select on pgmq.q_mails to authenticated;`,
    details: ['pgmq.q_mails'],
    metadata: { schema: 'pgmq', name: 'q_mails', type: 'table' },
    sound: `create extension pgmq; select pgmq.create('mails'); grant select on pgmq.q_mails to authenticated;
      alter table pgmq.q_mails enable row level security;`,
  },
  {
    name: 'table_bloat',
    problem: `${NOTES} alter table notes alter column title set storage plain;
      insert into notes select n, null, repeat('a', 7000) from generate_series(1, 3000) n;
      delete from notes where id < 3000; analyze notes;`,
    details: ['Table public.notes'],
    metadata: { schema: 'public', name: 'notes', type: 'table' },
    sound: `${NOTES} insert into notes select n, null, 'a' from generate_series(1, 10000) n;
      delete from notes where id > 1; analyze notes;`,
  },
  {
    name: 'fkey_to_auth_unique',
    problem:
      'reset role; create table phones (id int primary key, phone text references auth.users (phone));',
    details: ['foreign key phones_phone_fkey of table public.phones'],
    metadata: { schema: 'public', name: 'phones', foreign_key: 'phones_phone_fkey' },
    sound: 'reset role; create table phones (id uuid primary key references auth.users);',
  },
  {
    name: 'extension_versions_outdated',
    problem: `create extension pg_trgm version '1.5';`,
    details: ['extension pg_trgm has version 1.5; version 1.6 is available'],
    metadata: { extension_name: 'pg_trgm', installed_version: '1.5', default_version: '1.6' },
    // The number of a placeholder is that of the hosted service.
    sound: `create extension pg_trgm; create extension http version '1.5';`,
  },
  {
    name: 'sensitive_columns_exposed',
    problem: `${EXPOSED_NOTES} alter table notes add column "Api-Key" text, add column password text;`,
    details: ['columns of table public.notes without row-level security: Api-Key, password'],
    metadata: { schema: 'public', name: 'notes', sensitive_columns: ['Api-Key', 'password'] },
    sound: `create table secured (password text); alter table secured enable row level security;
      create table partly (id int, password text); revoke all on partly from anon, authenticated;
      grant select (id) on partly to anon;`,
  },
  {
    name: 'rls_policy_always_true',
    problem: `${SECURED_NOTES} create policy all_rows on notes to authenticated using (true);
      create policy new_rows on notes for insert with check (1 = 1);`,
    details: [
      'all_rows of table public.notes allows authenticated every write',
      'allows public every INSERT',
    ],
    metadata: {
      policy_name: 'all_rows',
      command: 'ALL',
      roles: ['authenticated'],
      permissive_using: true,
      permissive_with_check: true,
    },
    sound: `${SECURED_NOTES} create policy read on notes for select using (true);
      create policy service on notes to service_role using (true);
      create policy own on notes for update using (owner is null) with check (owner is null);
      create policy limits on notes as restrictive for delete using (true);`,
  },
  {
    name: 'public_bucket_allows_listing',
    problem: `insert into storage.buckets (id, name, public) values ('it''s', 'pictures', true);
      create policy list on storage.objects for select using (bucket_id = 'it''s');`,
    details: ['public bucket pictures by these policies: list'],
    metadata: { schema: 'storage', name: 'pictures', type: 'bucket', bucket_id: "it's", policy_count: 1 },
    sound: `insert into storage.buckets (id, name, public) values ('open', 'open', true), ('own', 'own', false);
      create policy list on storage.objects for select using (bucket_id = 'own');
      create policy mine on storage.objects for select using (bucket_id = 'open' and owner_id = 'me');`,
  },
  {
    name: 'pg_graphql_anon_table_exposed',
    problem: `${NOTES} grant select on notes to anon; ${REAL_GRAPHQL}`,
    details: ['table public.notes is part of the GraphQL schema of anon'],
    metadata: { schema: 'public', name: 'notes', type: 'table' },
    sound: `${NOTES} revoke all on notes from anon; grant select on notes to authenticated; ${REAL_GRAPHQL}`,
  },
  {
    name: 'pg_graphql_authenticated_table_exposed',
    problem: `${NOTES} grant select on notes to authenticated; ${REAL_GRAPHQL}`,
    details: ['table public.notes is part of the GraphQL schema of authenticated'],
    metadata: { schema: 'public', name: 'notes', type: 'table' },
    sound: `${EXPOSED_NOTES} create extension if not exists pg_graphql;`,
  },
  {
    name: 'anon_security_definer_function_executable',
    problem: 'create function total(a int) returns int language sql security definer return a;',
    details: ['anon can call the function public.total(a integer)'],
    metadata: { schema: 'public', name: 'total', arguments: 'a integer', security_definer: true },
    sound: `create function invoker() returns int language sql return 1;
      create function revoked() returns int language sql security definer return 1;
      revoke execute on function revoked from public, anon;
      create schema internal; create function internal.total() returns int language sql security definer return 1;
      create function on_change() returns trigger language plpgsql security definer as 'begin return new; end';`,
  },
  {
    name: 'authenticated_security_definer_function_executable',
    problem: `create function total() returns int language sql security definer return 1;
      revoke execute on function total from public, anon; grant execute on function total to authenticated;`,
    details: ['authenticated can call the function public.total()'],
    metadata: { schema: 'public', name: 'total', language: 'sql' },
    sound: `create function total() returns int language sql security definer return 1;
      revoke execute on function total from public, authenticated;`,
  },
  {
    name: 'invalid_index',
    problem: `${NOTES} create index titles on notes (title); reset role;
      update pg_index set indisvalid = false where indexrelid = 'titles'::regclass;`,
    details: ['index titles of table public.notes'],
    metadata: { schema: 'public', name: 'notes', index_name: 'titles' },
    sound: `create table parts (id int, title text) partition by list (id);
      create index titles on only parts (title);`,
  },
];

describe('a lint', () => {
  it.each(CASES)('$name reports its problem, and nothing on a sound schema', async (row) => {
    const findings = await findingsOf(row.name, row.problem);
    expect(findings.map(({ detail }) => detail)).toEqual(
      row.details.map((text) => expect.stringContaining(text)),
    );
    expect(findings[0]).toMatchObject({ name: row.name, facing: 'EXTERNAL', metadata: row.metadata });
    expect(await findingsOf(row.name, row.sound)).toEqual([]);
  });

  it('is tested for each line of the table', () => {
    expect(CASES.map(({ name }) => name)).toEqual(LINTS.map(({ name }) => name));
  });

  it('about unused indexes reports none that a query has used', async () => {
    await database.run(`create table used (id int primary key, title text);
      create index used_titles on used (title); create index unused_titles on used (title);`);
    const names = async () =>
      (await findingsOf('unused_index', '')).map(({ metadata }) => metadata.index_name);
    expect(await names()).toEqual(['unused_titles', 'used_titles']);
    await database.run('drop index unused_titles');
    await database.run(
      "set local enable_seqscan = off; select from used where title = 'a'; select pg_stat_force_next_flush();",
    );
    await expect.poll(names).toEqual([]);
    await database.run('drop table used');
  });
});
