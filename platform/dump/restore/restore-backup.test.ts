import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '@greenroom/postgres';
import { createTestDatabase, type TestDatabase } from '@greenroom/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dumpData } from '../data-dump.ts';
import { dumpRoles } from '../role-dump.ts';
import { dumpSchema } from '../schema-dump.ts';
import { restoreBackup } from './restore-backup.ts';

const USER = '6b2c1a4e-1111-4222-8333-444455556666';
/** What pg_dumpall writes of a hosted project, shortened. */
const CLUSTER = `--
-- PostgreSQL database cluster dump
--
\\restrict abc
SET default_transaction_read_only = off;
CREATE ROLE anon;
ALTER ROLE anon WITH NOSUPERUSER INHERIT NOLOGIN;
CREATE ROLE restored_reader;
ALTER ROLE restored_reader WITH NOSUPERUSER INHERIT NOCREATEROLE NOCREATEDB NOLOGIN NOREPLICATION NOBYPASSRLS;
ALTER ROLE authenticator SET session_preload_libraries TO 'safeupdate';
GRANT restored_reader TO anon WITH INHERIT TRUE GRANTED BY supabase_admin;
\\unrestrict abc
\\connect template1
CREATE TABLE public.of_template (id integer);
COPY public.of_template (id) FROM stdin;
1
\\.
\\connect postgres
\\restrict abc
SET session_replication_role = replica;
SELECT pg_catalog.set_config('search_path', '', false);
CREATE SCHEMA auth;
ALTER SCHEMA auth OWNER TO supabase_admin;
CREATE SCHEMA pgbouncer;
CREATE FUNCTION pgbouncer.get_auth(text) RETURNS text LANGUAGE sql AS 'select 1';
CREATE EXTENSION IF NOT EXISTS pgcrypto WITH SCHEMA extensions;
COMMENT ON EXTENSION pgcrypto IS 'cryptographic functions';
CREATE FUNCTION public.on_user() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  insert into public.notes values (9, new.id, 'of a trigger');
  return new;
end $$;
CREATE TABLE auth.users (id uuid NOT NULL, email text);
CREATE TABLE auth.later_feature (id uuid);
CREATE TABLE public.notes (id integer NOT NULL, owner uuid, text text);
ALTER TABLE public.notes OWNER TO postgres;
COPY auth.later_feature (id) FROM stdin;
${USER}
\\.
COPY auth.identities (provider_id, user_id, identity_data, provider, id, column_of_later) FROM stdin;
${USER}\t${USER}\t{"sub": "a\\\\tb"}\temail\t${USER}\tx
\\.
COPY auth.users (instance_id, id, aud, role, email, later_column, created_at) FROM stdin;
00000000-0000-0000-0000-000000000000\t${USER}\tauthenticated\tauthenticated\tada@example.com\t\\N\t2026-01-02 00:00:00+00
\\.
COPY public.notes (id, owner, text) FROM stdin;
1\t${USER}\ta; b\\nc
\\.
SELECT pg_catalog.setval('auth.refresh_tokens_id_seq', 77, true);
ALTER TABLE ONLY auth.users ADD CONSTRAINT users_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.notes ADD CONSTRAINT notes_pkey PRIMARY KEY (id);
CREATE INDEX users_email ON auth.later_feature USING btree (id);
CREATE TRIGGER on_user AFTER INSERT ON auth.users FOR EACH ROW EXECUTE FUNCTION public.on_user();
ALTER TABLE ONLY public.notes ADD CONSTRAINT notes_owner FOREIGN KEY (owner) REFERENCES auth.users(id);
CREATE POLICY "own files" ON storage.objects FOR SELECT USING ((owner_id = 'x'::text));
ALTER TABLE public.notes ENABLE ROW LEVEL SECURITY;
CREATE PUBLICATION supabase_realtime WITH (publish = 'insert');
ALTER PUBLICATION supabase_realtime ADD TABLE ONLY public.notes;
GRANT ALL ON TABLE auth.users TO dashboard_user;
GRANT SELECT ON TABLE public.notes TO restored_reader;
CREATE EVENT TRIGGER ddl ON ddl_command_end EXECUTE FUNCTION public.none();
RESET ALL;
\\unrestrict abc
`;

let database: TestDatabase;
let folder: Awaited<ReturnType<typeof mkdtempDisposable>>;

beforeEach(async () => {
  [database, folder] = await Promise.all([
    createTestDatabase(),
    mkdtempDisposable(join(tmpdir(), 'greenroom-restore-')),
  ]);
});
afterEach(async () => {
  await database.run('drop owned by restored_reader; drop role restored_reader').catch(() => undefined);
  await database.drop();
  await folder.remove();
});

async function restore(sql: string) {
  const path = join(folder.path, 'backup.sql');
  await writeFile(path, sql);
  return restoreBackup({ url: database.ownerUrl, path });
}
const rows = (text: string) => database.admin.query({ text });

const linesWith = (text: string, word: string) =>
  text
    .split('\n')
    .filter((line) => line.includes(word))
    .join('\n');

describe('restoreBackup', () => {
  it('restores the project in a cluster of a hosted service, and leaves the platform as it is', async () => {
    const { omitted, skipped } = await restore(CLUSTER);
    expect(omitted).toEqual(['the rows of auth.later_feature: there is no such table here']);
    expect(skipped).toBeGreaterThan(10);
    expect(await rows('select * from public.notes')).toEqual([{ id: 1, owner: USER, text: 'a; b\nc' }]);
    expect(await rows('select email, is_anonymous from auth.users')).toEqual([
      { email: 'ada@example.com', is_anonymous: false },
    ]);
    expect(await rows(`select identity_data ->> 'sub' as sub from auth.identities`)).toEqual([
      { sub: 'a\tb' },
    ]);
    expect(await rows(`select policyname from pg_policies where schemaname = 'storage'`)).toEqual([
      { policyname: 'own files' },
    ]);
    expect(
      await rows(`select tablename from pg_publication_tables where pubname = 'supabase_realtime'`),
    ).toEqual([{ tablename: 'notes' }]);
    expect(
      await rows(`select to_regclass('public.of_template') as t, to_regnamespace('pgbouncer') as p`),
    ).toEqual([{ t: null, p: null }]);
    expect(
      await rows(`select has_table_privilege('restored_reader', 'public.notes', 'select') as granted`),
    ).toEqual([{ granted: true }]);
    await database.run(`insert into auth.users (id, email) values (gen_random_uuid(), 'b@example.com')`);
    expect(await rows('select text from public.notes where id = 9')).toEqual([{ text: 'of a trigger' }]);
  });

  it.each([
    [
      'a statement',
      'select 1;\n\ncreate table public.a (id nope);\n',
      /backup\.sql, line 3: type "nope" does not exist \(SQLSTATE 42704\)/,
    ],
    [
      'a row',
      'create table public.a (id int);\ncopy public.a (id) from stdin;\n1\nx\n\\.\n',
      /backup\.sql, line 2: invalid input.*\n[\s\S]*context: COPY a, line 2, column id: "x"/,
    ],
    [
      'a policy of the project',
      'create policy p on storage.objects using (public.nope());',
      /line 1: function public\.nope\(\) does not exist/,
    ],
    [
      'rows that are cut off',
      'create table public.a (id int);\ncopy public.a (id) from stdin;\n1\n',
      /line 3: the rows that begin here have no end/,
    ],
    ['a command', '\\! date\n', /line 1: the command \\! of psql cannot be part of a backup/],
    [
      'another database',
      '\\connect shop\nselect 1;',
      /has no part for the database "postgres", only for shop/,
    ],
    ['no statement', '-- nothing', /contains no statements/],
  ])('refuses an error of %s, with its line', async (_, sql, message) => {
    await expect(restore(sql)).rejects.toThrow(message);
  });

  it('gives roles the rights of the backup, also on objects that are created later', async () => {
    const granted = async (table: string) =>
      (await rows(`select has_table_privilege('anon', 'public.${table}', 'select') as granted`))[0]?.granted;
    await restore('create table public.a (); create table public.b (); grant select on public.b to anon;');
    const owner = openDatabase({ url: database.ownerUrl, max: 1, applicationName: 'test' });
    await owner.query({ text: 'create table public.later ()' });
    expect([await granted('a'), await granted('b'), await granted('later')]).toEqual([false, true, true]);
    await restore('alter default privileges in schema public grant insert on tables to anon;');
    await owner.query({ text: 'create table public.last ()' });
    await owner.close();
    expect(await granted('last')).toBe(false);
  });

  it('restores the dumps of another database', async () => {
    await database.run(`insert into auth.users (id, email) values ('${USER}', 'ada@example.com')`);
    const owner = openDatabase({ url: database.ownerUrl, max: 1, applicationName: 'test' });
    await owner.batch(
      [
        'create role restored_reader',
        'create table notes (id serial primary key, owner uuid references auth.users, text text)',
        'alter table notes enable row level security',
        'create policy own on notes using (owner = auth.uid())',
        'grant select on notes to restored_reader',
        `insert into notes (owner, text) values ('${USER}', E'two;\\nlines')`,
      ].map((text) => ({ text })),
    );
    await owner.close();
    const source = database;
    const dumps = await Promise.all([
      // Other tests of the server have roles, too.
      dumpRoles(source.ownerUrl).then((sql) => linesWith(sql, 'restored_reader')),
      dumpSchema(source.ownerUrl, { schemas: undefined, keepsComments: true }),
      dumpData(source.ownerUrl, { schemas: undefined, excludedTables: [] }),
    ]);
    database = await createTestDatabase();
    await restore(dumps.join('\n'));
    const found = await rows('select text, email from public.notes join auth.users u on u.id = owner');
    const policies = await rows(`select policyname from pg_policies where schemaname = 'public'`);
    await source.run('drop owned by restored_reader');
    await source.drop();
    expect([found, policies]).toEqual([
      [{ text: 'two;\nlines', email: 'ada@example.com' }],
      [{ policyname: 'own' }],
    ]);
    await database.run(`insert into public.notes (text) values ('next')`);
    expect(await rows('select max(id) as id from public.notes')).toEqual([{ id: 2 }]);
  });

  it('refuses rows that a program would write', async () => {
    await expect(
      restore(`create table public.a (t text); copy public.a from program 'date';`),
    ).rejects.toThrow(/permission denied to COPY to or from an external program/);
  });
});
