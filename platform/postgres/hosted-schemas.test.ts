import { createEmptyDatabase, createTestDatabase, openClient, type TestDatabase } from '@greenroom/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrate, platformMigrations } from './migrate.ts';

const SCHEMAS = `
  select nspname as name, nspowner::regrole::text as owner,
    has_schema_privilege('anon', oid, 'usage') as anon, has_schema_privilege('service_role', oid, 'usage') as service
  from pg_namespace where nspname in ('extensions', 'graphql', 'graphql_public', 'pgsodium', 'supabase_functions', 'vault')
  order by nspname`;
const EXTENSIONS = `
  select extname as name from pg_extension where extnamespace = 'extensions'::regnamespace order by extname`;
const HOSTED = `
  select extname as name, extnamespace::regnamespace::text as schema from pg_extension
  where extname in ('pg_graphql', 'supabase_vault') order by extname`;

describe('a new database', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  it('has the schemas of a hosted project, and requests may use them', async () => {
    expect(await database.admin.query({ text: SCHEMAS })).toEqual([
      { name: 'extensions', owner: 'postgres', anon: true, service: true },
      { name: 'graphql', owner: 'supabase_admin', anon: true, service: true },
      { name: 'graphql_public', owner: 'supabase_admin', anon: true, service: true },
      { name: 'pgsodium', owner: 'supabase_admin', anon: false, service: true },
      { name: 'supabase_functions', owner: 'supabase_admin', anon: true, service: true },
      { name: 'vault', owner: 'supabase_admin', anon: false, service: true },
    ]);
  });

  it('lets dumps of rows set the sequence of keys, also beside the placeholder of pgsodium', async () => {
    const client = await openClient(database.ownerUrl);
    try {
      const set = `select setval('"pgsodium"."key_key_id_seq"', 1, false)`;
      await client.query(`${set}; create extension pgsodium; ${set}; drop extension pgsodium; ${set}`);
    } finally {
      await client.end();
    }
  });

  it('has the extensions of a hosted project in the schema extensions', async () => {
    expect(await database.admin.query({ text: EXTENSIONS })).toEqual([
      { name: 'pg_net' },
      { name: 'pg_stat_statements' },
      { name: 'pgcrypto' },
      { name: 'uuid-ossp' },
    ]);
  });

  it('has the vault and the GraphQL of a hosted project', async () => {
    expect(await database.admin.query({ text: HOSTED })).toEqual([
      { name: 'pg_graphql', schema: 'graphql' },
      { name: 'supabase_vault', schema: 'vault' },
    ]);
    expect(await database.admin.query({ text: 'select from vault.decrypted_secrets' })).toEqual([]);
  });

  it('responds to GraphQL of any caller with an error in the format of GraphQL', async () => {
    const [row] = await database.admin.transaction(async ({ query }) => {
      await query({ text: 'set local role anon' });
      return query({ text: `select graphql_public.graphql(query := '{ x }') as response` });
    });
    expect(row).toEqual({
      response: { errors: [{ message: 'GraphQL is not available: Greenroom has no pg_graphql.' }] },
    });
  });
});

describe('a database with such schemas', () => {
  it('keeps their owners, their rights and their functions', async () => {
    const database = await createEmptyDatabase();
    try {
      await database.run(`
        create schema vault authorization supabase_storage_admin;
        create schema graphql_public authorization supabase_storage_admin;
        create function graphql_public.graphql("operationName" text, query text, variables jsonb, extensions jsonb)
        returns jsonb language sql as $graphql$ select '"own"'::jsonb $graphql$`);
      await migrate(database.url, [platformMigrations]);
      const schemas = await database.admin.query<{ name: string }>({ text: SCHEMAS });
      expect(schemas.filter(({ name }) => ['graphql_public', 'vault'].includes(name))).toEqual([
        { name: 'graphql_public', owner: 'supabase_storage_admin', anon: false, service: false },
        { name: 'vault', owner: 'supabase_storage_admin', anon: false, service: false },
      ]);
      expect(
        await database.admin.query({
          text: 'select graphql_public.graphql(null, null, null, null) as response',
        }),
      ).toEqual([{ response: 'own' }]);
    } finally {
      await database.drop();
    }
  });
});

describe('a database with objects in the schema of an extension', () => {
  it('keeps them, and gets the other extensions', async () => {
    const database = await createEmptyDatabase();
    try {
      await database.run(`create schema vault; create table vault.secrets (own text)`);
      await migrate(database.url, [platformMigrations]);
      expect(await database.admin.query({ text: HOSTED })).toEqual([
        { name: 'pg_graphql', schema: 'graphql' },
      ]);
      expect(await database.admin.query({ text: 'select own from vault.secrets' })).toEqual([]);
    } finally {
      await database.drop();
    }
  });
});

describe('an owner who is not a superuser', () => {
  it('gets the schemas, but not the extension that only superusers may create', async () => {
    const database = await createEmptyDatabase();
    const owner = `owner_of_${database.name}`;
    try {
      await database.run(`
        create schema graphql_public authorization supabase_storage_admin;
        create role ${owner} login createrole password 'test';
        grant anon, authenticated, service_role, authenticator, supabase_auth_admin, supabase_storage_admin, supabase_realtime_admin, dashboard_user, supabase_admin to ${owner} with admin option;
        alter database ${database.name} owner to ${owner}`);
      const url = new URL(database.url);
      url.username = owner;
      await migrate(url.href, [platformMigrations]);
      expect(await database.admin.query({ text: EXTENSIONS })).toEqual([
        { name: 'pgcrypto' },
        { name: 'uuid-ossp' },
      ]);
      expect(await database.admin.query({ text: SCHEMAS })).toHaveLength(6);
    } finally {
      await database.drop();
    }
  });
});
