import { createTestDatabase, type TestDatabase } from '@greenroom/testing';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

let database: TestDatabase;
let client: pg.Client;

/**
 * An event trigger of an operator that calls a function of the project, an extension of the superuser, and one of postgres that
 * only a superuser may create.
 */
const PREPARATION = `
  create schema watch;
  create table watch.calls (id int generated always as identity, caller text);
  grant usage on schema watch to public;
  grant create on schema watch to postgres;
  grant insert, select on watch.calls to public;
  create function watch.record() returns void language sql as 'insert into watch.calls (caller) values (current_user)';
  alter function watch.record() owner to postgres;
  create function watch.on_command() returns event_trigger language plpgsql as 'begin perform watch.record(); end';
  create event trigger watch_start on ddl_command_start execute function watch.on_command();
  create event trigger watch_end on ddl_command_end execute function watch.on_command();
  create extension hstore with schema public;
  create extension pageinspect with schema public;
  insert into pg_shdepend (dbid, classid, objid, objsubid, refclassid, refobjid, deptype)
    select d.oid, 'pg_extension'::regclass, e.oid, 0, 'pg_authid'::regclass, 'postgres'::regrole, 'o'
    from pg_extension e, pg_database d where extname = 'pageinspect' and datname = current_database();
  update pg_extension set extowner = 'postgres'::regrole where extname = 'pageinspect'`;

beforeAll(async () => {
  database = await createTestDatabase(PREPARATION);
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
  await client.query('create schema shop; create extension pg_trgm with schema public');
});
afterEach(async () => {
  await client.query('rollback');
});

/** Returns the schema of an extension and that of one of its functions. */
async function schemasOf(extension: string): Promise<string[]> {
  const { rows } = await client.query(
    `select extnamespace::regnamespace::text as schema, min(pronamespace)::regnamespace::text as functions
      from pg_catalog.pg_extension e
        join pg_catalog.pg_depend d on refclassid = 'pg_catalog.pg_extension'::regclass and refobjid = e.oid and deptype = 'e'
        join pg_catalog.pg_proc p on classid = 'pg_catalog.pg_proc'::regclass and p.oid = objid
      where extname = $1 group by 1`,
    [extension],
  );
  return rows.flatMap(({ schema, functions }) => [schema, functions]);
}

const MOVE = 'alter extension pg_trgm set schema shop';

describe('the owner of an extension', () => {
  it.each([
    MOVE,
    'ALTER EXTENSION "pg_trgm" SET SCHEMA "shop" ;;',
    '-- moved\n/* as the * advisor / says */ alter/**/extension pg_Trgm\n\tset schema -- here\r Shop; -- end',
    `${MOVE}/* end */`,
  ])('moves it: %s', async (statement) => {
    await client.query(statement);
    expect(await schemasOf('pg_trgm')).toEqual(['shop', 'shop']);
  });

  it('moves it by a prepared statement', async () => {
    await client.query({ name: 'move', text: MOVE });
    expect(await schemasOf('pg_trgm')).toEqual(['shop', 'shop']);
  });

  it.each([
    `do $$ begin if true then ${MOVE}; end if; end $$`,
    `do $$ begin execute '${MOVE} ;'; end $$`,
    `do $$ begin alter extension "pg_trgm" -- moved\n set schema /* here */ shop; perform 1; end $$; select 1`,
    `create function public.f() returns void language plpgsql as $$ begin ${MOVE}; end $$; select public.f()`,
  ])('moves it in a block or in a function: %s', async (sql) => {
    await client.query(sql);
    expect(await schemasOf('pg_trgm')).toEqual(['shop', 'shop']);
  });

  it('moves an extension with a name in quotes, to a schema with quotes in its name', async () => {
    await client.query('create schema "My ""shop"""');
    await client.query('alter extension "uuid-ossp" set schema "My ""shop"""');
    expect(await schemasOf('uuid-ossp')).toEqual(['"My ""shop"""', '"My ""shop"""']);
  });

  it.each([
    'set session_replication_role = replica',
    'set standard_conforming_strings = off',
    'set search_path = shop, pg_temp',
  ])('moves it after %s', async (setting) => {
    await client.query(setting);
    await client.query(MOVE);
    expect(await schemasOf('pg_trgm')).toEqual(['shop', 'shop']);
  });

  it('moves it twice, and back', async () => {
    await client.query(MOVE);
    await client.query(MOVE);
    await client.query('alter extension pg_trgm set schema public');
    expect(await schemasOf('pg_trgm')).toEqual(['public', 'public']);
  });

  it('moves it as another role that owns it', async () => {
    await client.query(`
      create role clerk; grant clerk to postgres; grant all on schema shop to clerk;
      do $$ begin execute format('grant create on database %I to clerk', current_database()); end $$;
      set local role clerk; create extension citext with schema shop`);
    await client.query(
      'reset role; create schema clerks; grant all on schema clerks to clerk; set local role clerk',
    );
    await client.query('alter extension citext set schema clerks');
    expect(await schemasOf('citext')).toEqual(['clerks', 'clerks']);
  });

  it('has no other rights during the statement or after it', async () => {
    await client.query(MOVE);
    const { rows } = await client.query(`select pg_has_role('supabase_admin', 'member') as "isMember"`);
    expect(rows).toEqual([{ isMember: false }]);
    await expect(client.query('alter function shop.similarity rename to other')).rejects.toMatchObject({
      code: '42501',
    });
  });

  it('makes the data API read its schema again', async () => {
    const notified = new Promise<pg.Notification>((resolve) => client.once('notification', resolve));
    await client.query('listen pgrst; commit');
    await client.query(MOVE);
    expect(await notified).toMatchObject({ channel: 'pgrst', payload: 'reload schema' });
    await client.query('unlisten pgrst; drop extension pg_trgm; drop schema shop');
  });
});

describe('a statement', () => {
  it.each([
    ['of a list', `${MOVE}; select 1`],
    ['of a list', `select 1; ${MOVE}`],
    ['of a list in a block', `do $$ begin execute '${MOVE}; select 1'; end $$`],
    [
      'of a list that looks like one statement',
      `do $$ begin execute E'${MOVE} /*"\\nPL/pgSQL function f*/; select 1'; end $$`,
    ],
    [
      'of a function in SQL',
      `create function public.f() returns void language sql as '${MOVE}'; select public.f()`,
    ],
    ['after a nested comment', `/* /* */ */ ${MOVE}`],
    ['before a nested comment', `${MOVE} /* /* */ */`],
    ['with an escaped name', 'alter extension U&"pg_trgm" set schema shop'],
  ])('%s moves nothing: %s', async (_, statement) => {
    await expect(client.query(statement)).rejects.toMatchObject({
      code: '42501',
      message: expect.stringMatching(/^must be owner of (function|type|operator)/),
    });
  });

  it.each([
    ['a space that PostgreSQL reads as a letter', `${MOVE}\u00a0`, '3F000'],
    ['a letter that has no case in PostgreSQL', 'alter extension pg_trgm set schema \u017fhop', '3F000'],
    ['a schema that does not exist', 'alter extension pg_trgm set schema none', '3F000'],
    ['an extension that does not exist', 'alter extension none set schema shop', '42704'],
    ['an extension that cannot be moved', 'alter extension supabase_vault set schema shop', '0A000'],
    ['a schema of Greenroom', 'alter extension pg_trgm set schema greenroom', '42501'],
    ['the schema of Vault', 'alter extension pg_trgm set schema vault', '42501'],
    ['the schema of PostgreSQL', 'alter extension pg_trgm set schema pg_catalog', '42501'],
    ['a schema of a service', 'alter extension pg_trgm set schema auth', '42501'],
    ['a schema of a service', 'alter extension pg_trgm set schema storage', '42501'],
    ['an extension of the superuser', 'alter extension hstore set schema shop', '42501'],
    ['an extension that is not trusted', 'alter extension pageinspect set schema shop', '42501'],
    ['a function of an extension', 'alter extension pg_trgm drop function similarity(text, text)', '42501'],
    ['a function of the superuser', 'alter extension pg_trgm add function watch.on_command()', '42501'],
  ])('with %s is refused: %s', async (_, statement, code) => {
    await expect(client.query(statement)).rejects.toMatchObject({ code });
  });

  it('of a role that does not own the extension is refused', async () => {
    await client.query(
      'create role clerk; grant clerk to postgres; grant all on schema shop to clerk; set local role clerk',
    );
    await expect(client.query(MOVE)).rejects.toMatchObject({ message: 'must be owner of extension pg_trgm' });
  });

  it.each([
    ['a function of another role', 'clerk', 'postgres', 'must be owner of extension pg_trgm'],
    ['another role by a function of the owner', 'postgres', 'clerk', 'must be owner of function'],
  ])('of %s is refused', async (_, owner, caller, message) => {
    await client.query(`
      create role clerk; grant clerk to postgres; grant all on schema shop, public to clerk;
      create function public.f() returns void language plpgsql security definer as $$ begin ${MOVE}; end $$;
      alter function public.f() owner to ${owner};
      set local role ${caller}`);
    await expect(client.query('select public.f()')).rejects.toMatchObject({
      message: expect.stringContaining(message),
    });
  });

  it('of an owner without rights on the schema is refused', async () => {
    await client.query(`
      create role keeper; revoke keeper from postgres; grant keeper to postgres with inherit false, set true;
      alter schema shop owner to keeper`);
    await expect(client.query(MOVE)).rejects.toMatchObject({ message: 'permission denied for schema shop' });
  });

  it('that fails leaves nothing behind in its transaction', async () => {
    await client.query(`
      create function shop.similarity(text, text) returns real language sql as 'select 0';
      savepoint before`);
    await expect(client.query(MOVE)).rejects.toMatchObject({ code: '42723' });
    await client.query('rollback to before');
    expect(await schemasOf('pg_trgm')).toEqual(['public', 'public']);
    for (const attempt of [
      'set local role supabase_admin',
      'alter function public.similarity rename to other',
    ]) {
      await expect(client.query(attempt)).rejects.toMatchObject({ code: '42501' });
      await client.query('rollback to before');
    }
    await client.query('drop function shop.similarity(text, text)');
    await client.query(MOVE);
    expect(await schemasOf('pg_trgm')).toEqual(['shop', 'shop']);
  });
});

describe('code of the project', () => {
  it('does not run as the superuser in other event triggers', async () => {
    // CREATE EXTENSION has called it as the superuser, as in every PostgreSQL.
    const { rows: before } = await client.query('select max(id) as id from watch.calls');
    await client.query(MOVE);
    const { rows } = await client.query('select caller from watch.calls where id > $1', [before[0].id]);
    expect(rows).toEqual([{ caller: 'postgres' }, { caller: 'postgres' }]);
  });

  it('is not called in place of functions, operators and types of PostgreSQL', async () => {
    await client.query(`
      create schema evil;
      create function evil.report() returns boolean language plpgsql as $$
      begin
        if current_user <> 'postgres' then raise exception 'called as %', current_user; end if;
        return true;
      end $$;
      create function evil.current_query() returns text language sql as $$ select '' where evil.report() $$;
      create function evil.regexp_match(text, text, text) returns text[] language sql as 'select null::text[] where evil.report()';
      create function evil.format(text, name, name) returns text language sql as $$ select '' where evil.report() $$;
      create function evil.equal(name, name) returns boolean language sql as 'select evil.report()';
      create operator evil.= (function = evil.equal, leftarg = name, rightarg = name);
      create domain pg_temp.name as pg_catalog.name check (evil.report());
      create domain pg_temp.text as pg_catalog.text check (evil.report());
      create temporary table pg_extension (id int);
      set local search_path = evil, pg_temp, pg_catalog`);
    await client.query(MOVE);
    await client.query('reset search_path');
    expect(await schemasOf('pg_trgm')).toEqual(['shop', 'shop']);
  });

  it.each([
    ['alter extension hstore set schema shop', 'must be owner of extension hstore'],
    ['alter extension pg_trgm set schema greenroom', 'permission denied for schema greenroom'],
    ['alter extension pg_trgm set schema auth', 'must be owner of'],
    ['alter extension pg_trgm drop function shop.similarity(text, text)', 'must be owner of function'],
    ['alter function shop.similarity rename to other', 'must be owner of function'],
    ['set role supabase_admin', 'permission denied to set role'],
  ])('that runs during the statement may not %s', async (nested, message) => {
    await client.query(`
      create or replace function watch.record() returns void language plpgsql as $$
      begin
        if current_setting('shop.is_nested', true) = 'yes' then return; end if;
        perform set_config('shop.is_nested', 'yes', true);
        if current_query() like '%pg_trgm set schema shop' then execute '${nested}'; end if;
        perform set_config('shop.is_nested', 'no', true);
      end $$`);
    await expect(client.query(MOVE)).rejects.toMatchObject({
      code: '42501',
      message: expect.stringContaining(message),
    });
  });

  it('cannot call the function, or use it in an event trigger', async () => {
    await client.query('savepoint before');
    for (const attempt of [
      'select greenroom.move_extension()',
      'create event trigger e on ddl_command_start execute function greenroom.move_extension()',
      'drop event trigger greenroom_move_extension',
      'create or replace function greenroom.move_extension() returns event_trigger language plpgsql as $$ begin end $$',
      'set event_triggers = off',
    ]) {
      await expect(client.query(attempt)).rejects.toMatchObject({ code: '42501' });
      await client.query('rollback to before');
    }
  });
});

it('the superuser moves an extension of any role', async () => {
  await client.query('rollback');
  const admin = new pg.Client({ connectionString: database.url });
  await admin.connect();
  try {
    await admin.query('begin; create schema shop');
    await admin.query('alter extension hstore set schema shop');
  } finally {
    await admin.end();
  }
  await client.query('begin');
});
