import { type Database, openDatabase, quoteIdentifier } from '@greenroom/postgres';
import { createTestDatabase, type TestDatabase } from '@greenroom/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { DATABASE_SETTINGS } from './database-setting-names.ts';
import { readDatabaseSettings, withDatabaseSettings } from './database-settings.ts';

let database: TestDatabase;
let login: Database;
let name: string;
let role: string;

const admin = (text: string) => database.admin.query({ text });
const FUNCTION = { schema: 'setup', name: 'Pre Config' };
const defineFunction = (body: string) =>
  admin(
    `create or replace function setup."Pre Config"() returns void language plpgsql as $$ begin ${body} end $$`,
  );

beforeAll(async () => {
  database = await createTestDatabase();
  name = new URL(database.url).pathname.slice(1);
  // All databases of the run share roles, so this role has a unique name, which also requires quotes.
  role = `Login ${name}`;
  await admin(`create role ${quoteIdentifier(role)} login password 'secret' noinherit`);
  await admin('create schema setup');
  await admin(`grant usage on schema setup to ${quoteIdentifier(role)}`);
  await admin('create table setup.log (text text)');
  await admin(`grant insert on setup.log to ${quoteIdentifier(role)}`);
  const url = new URL(database.url);
  url.username = encodeURIComponent(role);
  url.password = 'secret';
  login = openDatabase({ url: url.href, max: 1, applicationName: 'test' });
});
afterEach(async () => {
  await admin(`alter role ${quoteIdentifier(role)} reset all`);
  await admin(`alter role ${quoteIdentifier(role)} in database ${name} reset all`);
});
afterAll(async () => {
  await login.close();
  await admin(`drop owned by ${quoteIdentifier(role)}`);
  await admin(`drop role ${quoteIdentifier(role)}`);
  await database.drop();
});

const set = (setting: string, value: string) =>
  admin(`alter role ${quoteIdentifier(role)} set ${setting} = '${value}'`);
const setInDatabase = (setting: string, value: string) =>
  admin(`alter role ${quoteIdentifier(role)} in database ${name} set ${setting} = '${value}'`);

describe('settings of the login role', () => {
  it('have the names of environment variables', async () => {
    expect(await readDatabaseSettings(login, undefined)).toEqual({});
    await set('pgrst.db_schemas', 'one, two');
    await set('pgrst.jwt_secret', 'a=b=c');
    await set('pgrst.DB_MAX_ROWS', '5');
    await set('pgrst.db_root_spec', '');
    expect(await readDatabaseSettings(login, undefined)).toEqual({
      PGRST_DB_SCHEMAS: 'one, two',
      PGRST_JWT_SECRET: 'a=b=c',
      PGRST_DB_MAX_ROWS: '5',
      PGRST_DB_ROOT_SPEC: '',
    });
  });

  it('of this database override those of all databases', async () => {
    await set('pgrst.db_schemas', 'everywhere');
    await set('pgrst.db_max_rows', '5');
    await setInDatabase('pgrst.db_schemas', 'here');
    expect(await readDatabaseSettings(login, undefined)).toEqual({
      PGRST_DB_SCHEMAS: 'here',
      PGRST_DB_MAX_ROWS: '5',
    });
  });

  it('are read again, including removed ones', async () => {
    await set('pgrst.db_schemas', 'one');
    await readDatabaseSettings(login, undefined);
    await admin(`alter role ${quoteIdentifier(role)} reset pgrst.db_schemas`);
    expect(await readDatabaseSettings(login, undefined)).toEqual({});
  });

  it('ignore connection settings, unknown names, other roles and other databases', async () => {
    for (const setting of ['db_uri', 'db_pool', 'db_channel', 'db_config', 'server_port', 'not_there']) {
      await set(`pgrst.${setting}`, 'x');
    }
    await set('statement_timeout', '5s');
    await admin(
      `alter role ${quoteIdentifier(role)} in database postgres set pgrst.db_schemas = 'elsewhere'`,
    );
    await admin(`alter database ${name} set pgrst.db_schemas = 'of all roles'`);
    expect(await readDatabaseSettings(login, undefined)).toEqual({});
    await admin(`alter role ${quoteIdentifier(role)} in database postgres reset all`);
    await admin(`alter database ${name} reset pgrst.db_schemas`);
  });
});

describe('the pre-config function', () => {
  it('sets settings that the role has not set', async () => {
    await defineFunction(`
      perform set_config('pgrst.db_schemas', 'of the function', true), set_config('pgrst.db_max_rows', '7', true),
        set_config('pgrst.db_anon_role', current_user, true), set_config('pgrst.db_pool', '1', true);`);
    await set('pgrst.db_schemas', 'of the role');
    expect(await readDatabaseSettings(login, FUNCTION)).toEqual({
      PGRST_DB_SCHEMAS: 'of the role',
      PGRST_DB_MAX_ROWS: '7',
      PGRST_DB_ANON_ROLE: role,
    });
    expect(await readDatabaseSettings(login, undefined)).toEqual({ PGRST_DB_SCHEMAS: 'of the role' });
  });

  it('does not keep values from an earlier call or from the login', async () => {
    await set('pgrst.db_max_rows', '5');
    const url = new URL(database.url);
    url.username = encodeURIComponent(role);
    url.password = 'secret';
    const reopened = openDatabase({ url: url.href, max: 1, applicationName: 'test' });
    try {
      await defineFunction(`perform set_config('pgrst.db_schemas', 'kept', false);`);
      expect(await readDatabaseSettings(reopened, FUNCTION)).toEqual({
        PGRST_DB_SCHEMAS: 'kept',
        PGRST_DB_MAX_ROWS: '5',
      });
      await admin(`alter role ${quoteIdentifier(role)} reset all`);
      await defineFunction('null;');
      expect(await readDatabaseSettings(reopened, FUNCTION)).toEqual({});
    } finally {
      await reopened.close();
    }
  });

  it('can be configured by a setting of the role', async () => {
    await defineFunction(`perform set_config('pgrst.db_max_rows', '7', true);`);
    await set('pgrst.db_pre_config', 'setup.Pre Config');
    const settings = { PGRST_DB_PRE_CONFIG: 'setup.Pre Config', PGRST_DB_MAX_ROWS: '7' };
    expect(await readDatabaseSettings(login, undefined)).toEqual(settings);
    expect(await readDatabaseSettings(login, { schema: 'not', name: 'there' })).toEqual(settings);
    await set('pgrst.db_pre_config', 'setup.');
    const wrong = await readDatabaseSettings(login, undefined);
    expect(wrong).toEqual({ PGRST_DB_PRE_CONFIG: 'setup.' });
    expect(withDatabaseSettings({}, wrong)).toMatchObject({
      kind: 'refused',
      problems: [{ name: 'PGRST_DB_PRE_CONFIG', value: 'setup.' }],
    });
  });

  it('is resolved by the search path without a schema', async () => {
    await admin(`create function public.pre_config() returns text language sql as
      $$ select set_config('pgrst.db_max_rows', '8', true) $$`);
    const settings = await readDatabaseSettings(login, { schema: undefined, name: 'pre_config' });
    expect(settings).toEqual({ PGRST_DB_MAX_ROWS: '8' });
  });

  it('cannot write', async () => {
    await defineFunction(`insert into setup.log values ('x');`);
    await expect(readDatabaseSettings(login, FUNCTION)).rejects.toMatchObject({ code: '25006' });
  });

  it.each([
    ['does not exist', { schema: 'setup', name: 'x' }, '42883'],
    ['is in a schema without USAGE', { schema: 'auth', name: 'x' }, '42501'],
    ['has a name that contains SQL', { schema: 'setup', name: 'x"(); select now("' }, '42883'],
  ])('throws if it %s', async (_, preConfig, code) => {
    await expect(readDatabaseSettings(login, preConfig)).rejects.toMatchObject({ code });
    expect(await readDatabaseSettings(login, undefined)).toEqual({});
  });
});

describe('the configuration', () => {
  const environment = { PGRST_DB_SCHEMAS: 'of the environment', PGRST_DB_MAX_ROWS: '5' };

  it('applies settings of the database over the environment', () => {
    const settings = { PGRST_DB_SCHEMAS: 'a, b', PGRST_DB_MAX_ROWS: '' };
    const loaded = withDatabaseSettings(environment, settings);
    expect(loaded).toMatchObject({ kind: 'loaded', config: { schemas: ['a', 'b'], maxRows: undefined } });
    expect(withDatabaseSettings(environment, {})).toMatchObject({
      config: { schemas: ['of the environment'], maxRows: 5 },
    });
  });

  it('reports all problems without showing secrets', () => {
    const settings = {
      PGRST_DB_SCHEMAS: 'pg_catalog',
      PGRST_DB_MAX_ROWS: 'many',
      PGRST_OPENAPI_MODE: 'disabled',
    };
    expect(withDatabaseSettings(environment, settings)).toEqual({
      kind: 'refused',
      problems: [
        { name: 'PGRST_DB_SCHEMAS', value: 'pg_catalog', allowed: expect.any(String) },
        { name: 'PGRST_DB_MAX_ROWS', value: 'many', allowed: 'a whole number from 0 to 1000000000' },
      ],
    });
    expect(withDatabaseSettings(environment, { PGRST_JWT_SECRET: 'short' })).toMatchObject({
      problems: [{ name: 'PGRST_JWT_SECRET', value: undefined }],
    });
  });

  it.each(DATABASE_SETTINGS)('supports pgrst.%s', (setting) => {
    const variable = `PGRST_${setting.toUpperCase()}`;
    // Either it is refused by name, or it is to be found in the configuration; an unknown one would be neither.
    const odd = 'an odd value of more than thirty-two bytes';
    const loaded = withDatabaseSettings({}, { [variable]: odd });
    expect(JSON.stringify(loaded)).toContain(loaded.kind === 'refused' ? variable : odd);
  });
});
