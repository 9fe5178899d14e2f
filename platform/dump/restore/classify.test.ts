import { describe, expect, it } from 'vitest';
import { classify } from './classify.ts';

describe('a statement of a backup', () => {
  it.each<[string, string]>([
    ['run', 'CREATE TABLE public.notes (id int, owner uuid REFERENCES auth.users)'],
    ['run', `INSERT INTO public.notes VALUES ('auth.users')`],
    ['run', 'ALTER TABLE public.notes OWNER TO postgres'],
    ['run', 'CREATE VIEW public.people AS SELECT * FROM auth.users'],
    ['run', 'CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA extensions'],
    ['tolerate', 'CREATE SCHEMA shop'],
    ['run', 'COPY supabase_migrations.schema_migrations (version) FROM stdin'],
    ['run', 'GRANT ALL ON TABLE public.notes TO anon'],
    ['run', 'GRANT USAGE ON SCHEMA public TO anon'],
    ['run', 'ALTER PUBLICATION supabase_realtime ADD TABLE ONLY public.notes'],
    ['run', 'ALTER DEFAULT PRIVILEGES FOR ROLE postgres IN SCHEMA public GRANT ALL ON TABLES TO anon'],
    ['run', `SELECT pg_catalog.set_config('search_path', '', false)`],
    ['run', `SELECT pg_catalog.setval('public.notes_id_seq', 3, true)`],
    ['run', 'ALTER ROLE reader SET statement_timeout TO 1000'],
    ['run', 'GRANT reader TO writer'],
    ['tolerate', 'CREATE ROLE reader'],
    ['tolerate', 'CREATE SCHEMA auth'],
    ['tolerate', 'CREATE TABLE auth.users (id uuid)'],
    ['tolerate', 'CREATE TYPE "auth"."aal_level" AS ENUM (\'aal1\')'],
    ['tolerate', 'CREATE INDEX users_index ON auth.users USING btree (email)'],
    [
      'tolerate',
      'CREATE FUNCTION storage.filename(name text) RETURNS text LANGUAGE sql AS $$ select public.f() $$',
    ],
    ['tolerate', 'ALTER TABLE ONLY auth.users ADD CONSTRAINT users_pkey PRIMARY KEY (id)'],
    ['tolerate', 'CREATE POLICY "own files" ON storage.objects USING (true)'],
    ['tolerate', 'CREATE TRIGGER t AFTER INSERT ON auth.users FOR EACH ROW EXECUTE FUNCTION public.f()'],
    ['tolerate', `SELECT pg_catalog.setval('auth.refresh_tokens_id_seq', 3, true)`],
    ['tolerate', `CREATE PUBLICATION supabase_realtime WITH (publish = 'insert')`],
    ['tolerate', 'GRANT SELECT ON TABLE auth.users TO reader'],
    ['tolerate', 'GRANT ALL ON TABLE pgmq.q_jobs TO service_role'],
    ['rows', 'COPY auth.users (id, email) FROM stdin'],
    ['rows', `INSERT INTO "auth"."users" ("id") VALUES ('a')`],
    ['skip', 'CREATE ROLE anon'],
    ['skip', "ALTER ROLE postgres WITH NOSUPERUSER PASSWORD 'x'"],
    ['skip', `ALTER ROLE authenticator SET session_preload_libraries TO 'safeupdate'`],
    ['skip', 'GRANT anon TO authenticator WITH INHERIT FALSE GRANTED BY supabase_admin'],
    ['skip', 'ALTER TABLE auth.users OWNER TO supabase_auth_admin'],
    ['skip', 'ALTER FUNCTION public.f() OWNER TO supabase_admin'],
    ['skip', 'ALTER DEFAULT PRIVILEGES FOR ROLE supabase_admin IN SCHEMA public GRANT ALL ON TABLES TO anon'],
    ['skip', 'GRANT ALL ON TABLE auth.users TO dashboard_user'],
    ['skip', 'REVOKE ALL ON FUNCTION auth.uid() FROM PUBLIC'],
    ['skip', 'GRANT USAGE ON SCHEMA auth TO anon'],
    ['skip', 'CREATE SCHEMA pgbouncer'],
    ['skip', 'COPY greenroom.instance (id) FROM stdin'],
    ['skip', 'CREATE EVENT TRIGGER issue_graphql ON sql_drop EXECUTE FUNCTION extensions.f()'],
    ['skip', "COMMENT ON EXTENSION pg_trgm IS 'text'"],
    ['skip', 'CREATE DATABASE other'],
  ])('is treated as "%s": %s', (kind, sql) => {
    expect(classify(sql).kind).toBe(kind);
  });

  it.each([
    ['ALTER ROLE reader WITH NOSUPERUSER INHERIT LOGIN', 'ALTER ROLE reader WITH  INHERIT LOGIN'],
    [
      'GRANT reader TO writer WITH INHERIT TRUE GRANTED BY supabase_admin',
      'GRANT reader TO writer WITH INHERIT TRUE',
    ],
  ])('leaves out what only a superuser may name: %s', (sql, run) => {
    expect(classify(sql)).toEqual({ kind: 'run', sql: run });
  });

  it('tolerates all errors of a trigger that runs a function of the platform', () => {
    for (const schema of ['storage', 'greenroom'])
      expect(
        classify(`CREATE TRIGGER t AFTER DELETE ON auth.users FOR EACH ROW EXECUTE FUNCTION ${schema}.f()`),
      ).toMatchObject({ kind: 'tolerate', states: ['42', '3F', '0A', '55'] });
  });

  it('tolerates no missing function of a policy, and no error of a trigger that runs a function of the project', () => {
    for (const sql of [
      'CREATE POLICY p ON storage.objects USING (public.may_read(name))',
      'CREATE TRIGGER t AFTER INSERT ON auth.users FOR EACH ROW EXECUTE FUNCTION public.f()',
    ])
      expect(classify(sql)).toMatchObject({ kind: 'tolerate', states: ['42710', '42P01'] });
  });
});
