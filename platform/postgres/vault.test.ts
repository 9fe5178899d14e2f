import { readFile } from 'node:fs/promises';
import {
  createEmptyDatabase,
  createTestDatabase,
  lastRows,
  openClient,
  type TestDatabase,
} from '@greenroom/testing';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { migrate, platformMigrations } from './migrate.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const READ = 'select name, decrypted_secret as value from vault.decrypted_secrets order by name';

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  client = await openClient(database.ownerUrl);
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

// Each test runs in a transaction, so the next one finds no secret.
beforeEach(async () => {
  await client.query('begin');
});
afterEach(async () => {
  await client.query('rollback');
});

const query = (sql: string, on = client) => lastRows(on, sql);

/** Functions that PostgreSQL would call instead of its own if a search path or a name could be changed. */
const IMPOSTORS = `
  create schema evil;
  create function evil.report() returns boolean language plpgsql as $$
  begin
    if current_user <> 'postgres' then raise exception 'called as %', current_user; end if;
    return true;
  end $$;
  create function evil.length(bytea) returns int language sql as 'select evil.report()::int + 15';
  create function evil.convert_to(text, name) returns bytea language sql as 'select null::bytea where evil.report()';
  create function evil.pg_read_file(text, boolean) returns text language sql as 'select repeat(''0'', 64) where evil.report()';
  create function evil.gen_random_uuid() returns uuid language sql as 'select null::uuid where evil.report()';
  create function evil.equal(bytea, bytea) returns boolean language sql as 'select evil.report()';
  create operator evil.= (function = evil.equal, leftarg = bytea, rightarg = bytea);
  create domain pg_temp.bytea as pg_catalog.bytea check (evil.report());
  create domain pg_temp.uuid as pg_catalog.uuid check (evil.report());
  create domain pg_temp.text as pg_catalog.text check (evil.report());
  create temporary table secrets (id int);
  set local search_path = evil, pg_temp, pg_catalog`;

describe('a secret', () => {
  it('is stored encrypted, and read by its name', async () => {
    const [created] = await query(`select vault.create_secret('s3cret', 'api_key', 'of a service') as id`);
    expect(created?.id).toMatch(UUID);
    expect(await query('select * from vault.decrypted_secrets')).toEqual([
      {
        id: created?.id,
        name: 'api_key',
        description: 'of a service',
        secret: expect.stringMatching(/^[A-Za-z0-9+/=\n]{76,}$/),
        decrypted_secret: 's3cret',
        key_id: null,
        nonce: expect.objectContaining({ length: 16 }),
        created_at: expect.any(Date),
        updated_at: expect.any(Date),
      },
    ]);
    expect(await query(`select * from vault.secrets where name = 'api_key'`)).toHaveLength(1);
  });

  it.each(['', 'ü 語 \u{1f511}', 'x'.repeat(100_000)])('may be any text', async (text) => {
    await client.query('select vault.create_secret($1)', [text]);
    expect(await query(READ)).toEqual([{ name: null, value: text }]);
  });

  it('is updated part by part', async () => {
    const parts = [`new_name => 'b'`, `new_secret => 'second'`, `new_description => 'text'`];
    await query(`select vault.create_secret('first', 'a')`);
    for (const part of parts) await query(`select vault.update_secret(id, ${part}) from vault.secrets`);
    expect(await query('select name, description, decrypted_secret from vault.decrypted_secrets')).toEqual([
      { name: 'b', description: 'text', decrypted_secret: 'second' },
    ]);
    await query(`select vault.update_secret('00000000-0000-4000-8000-000000000000', 'none')`);
  });

  it('has another ciphertext at each encryption', async () => {
    const [row] = await query(`
      select vault.create_secret('same'), vault.create_secret('same');
      create temporary table former as select secret, nonce from vault.secrets;
      select vault.update_secret(id, 'same') from vault.secrets;
      select count(distinct secret)::int as ciphertexts, count(distinct nonce)::int as nonces
        from (select secret, nonce from vault.secrets union all select * from former) as all_secrets`);
    expect(row).toEqual({ ciphertexts: 4, nonces: 4 });
  });

  it.each([
    ['with a name that another one has', `'s3cret', 'a'`, '23505', 'secrets_name_idx'],
    ['without a value', 'null', '23502', undefined],
    ['without a description', `'s3cret', 'b', null`, '23502', undefined],
  ])('%s is refused, and the error does not contain its value', async (_, values, code, constraint) => {
    await query(`select vault.create_secret('first', 'a')`);
    const error = await query(`select vault.create_secret(${values})`).then(
      () => undefined,
      (reason: pg.DatabaseError) => reason,
    );
    expect(error).toMatchObject({ code, constraint });
    expect(JSON.stringify({ ...error, message: error?.message })).not.toContain('s3cret');
  });

  it('is decrypted by calls that name the functions of the hosted service', async () => {
    const [row] = await query(`
      select vault.create_secret('value');
      select convert_from(vault._crypto_aead_det_decrypt(
        message => decode(secret, 'base64'), additional => convert_to(id::text, 'utf8'), key_id => 0::bigint,
        context => '\\x7067736f6469756d'::bytea, nonce => nonce), 'utf8') as value from vault.secrets`);
    expect(row).toEqual({ value: 'value' });
  });

  it('is referred to by tables of the project', async () => {
    const rows = await query(`
      create table public.accounts (secret_id uuid references vault.secrets (id) on delete set null);
      insert into public.accounts select vault.create_secret('value');
      delete from vault.secrets;
      select secret_id from public.accounts`);
    expect(rows).toEqual([{ secret_id: null }]);
  });
});

describe('a ciphertext', () => {
  const CHANGES = [
    ['of another row', `secret = (select secret from vault.secrets where name = 'b')`],
    [
      'and a nonce of another row',
      `(secret, nonce) = (select secret, nonce from vault.secrets where name = 'b')`,
    ],
    ['with another id', 'id = gen_random_uuid()'],
    ['with another nonce', `nonce = decode(repeat('00', 16), 'hex')`],
    ['without a nonce', 'nonce = null'],
    ['that is empty', `secret = ''`],
    ['that is cut', `secret = encode(substr(decode(secret, 'base64'), 1, 41), 'base64')`],
    ['with another first byte', 'secret = pg_temp.with_changed_byte(secret, 0)'],
    ['with another digest of the key', 'secret = pg_temp.with_changed_byte(secret, 5)'],
    ['with another byte in its middle', 'secret = pg_temp.with_changed_byte(secret, 20)'],
    ['with another last byte', 'secret = pg_temp.with_changed_byte(secret, 56)'],
  ];
  let admin: pg.Client;

  beforeAll(async () => {
    admin = await openClient(database.url);
  });
  afterAll(() => admin.end());

  it.each(CHANGES)('%s is refused', async (_, change) => {
    await admin.query(`
      begin;
      create function pg_temp.with_changed_byte(secret text, at int) returns text language sql as $$
        select encode(set_byte(bytes, at, 255 - get_byte(bytes, at)), 'base64') from decode(secret, 'base64') as bytes $$;
      select vault.create_secret('one', 'a'), vault.create_secret('two', 'b');
      update vault.secrets set ${change} where name = 'a';
      savepoint changed`);
    await expect(query(READ, admin)).rejects.toMatchObject({
      code: expect.stringMatching(/^(22000|F0000)$/),
      message: expect.stringMatching(
        /^(invalid ciphertext|the secret was encrypted with another key than that of Vault)$/,
      ),
    });
    const rows = await query(
      `rollback to changed; select decrypted_secret as value from vault.decrypted_secrets where name = 'b'`,
      admin,
    );
    expect(rows).toEqual([{ value: 'two' }]);
    await admin.query('rollback');
  });
});

describe('the rights', () => {
  it.each([
    ['postgres', 'select * from vault.secrets; select * from vault.decrypted_secrets'],
    ['postgres', 'delete from vault.secrets'],
    ['postgres', 'truncate vault.secrets'],
    ['postgres', 'grant select on vault.decrypted_secrets to postgres; grant usage on schema vault to anon'],
    ['service_role', `select vault.update_secret(vault.create_secret('a', 'service'), 'b')`],
    ['service_role', 'select * from vault.decrypted_secrets; delete from vault.secrets'],
  ])('of %s permit: %s', async (role, sql) => {
    await query(`select vault.create_secret('value', 'name'); set local role ${role}; ${sql}`);
  });

  it.each([
    ['postgres', `insert into vault.secrets (secret) values ('text')`],
    ['postgres', `update vault.secrets set name = 'other'`],
    ['service_role', `insert into vault.secrets (secret) values ('text')`],
    ['service_role', `update vault.secrets set secret = ''`],
    ['anon', 'select * from vault.decrypted_secrets'],
    ['anon', `select vault.create_secret('value')`],
    ['authenticated', 'select * from vault.secrets'],
    ['authenticated', `select vault.update_secret(gen_random_uuid(), 'value')`],
    ['authenticated', `select vault._crypto_aead_det_decrypt('', '', 0, 'pgsodium', '')`],
    ['postgres', `select pg_read_file('pgsql_tmp.greenroom-vault-key')`],
    ['postgres', `select pg_read_binary_file('pgsql_tmp.greenroom-vault-key')`],
    ['postgres', 'copy pg_temp.t from $$pgsql_tmp.greenroom-vault-key$$'],
    ['postgres', `select vault._derive_key('encryption', 0, '')`],
    ['postgres', `select vault._header(0, 'pgsodium')`],
    ['postgres', `select vault._crypto_aead_det_encrypt('text', '', 0, 'pgsodium', '0123456789abcdef')`],
    ['postgres', `select vault._encrypt_secret('text', gen_random_uuid(), '0123456789abcdef')`],
    ['postgres', `select vault._decrypt_block('0123456789abcdef', '', '', 'aes')`],
    ['service_role', `select vault._derive_key('encryption', 0, '')`],
    ['postgres', 'set role greenroom_vault'],
    ['postgres', 'grant greenroom_vault to postgres'],
    ['postgres', 'drop role greenroom_vault'],
    [
      'postgres',
      'create trigger t before insert on vault.secrets for each row execute function tsvector_update_trigger()',
    ],
    ['postgres', 'create rule r as on insert to vault.secrets do also select 1'],
    ['postgres', 'create policy p on vault.secrets using (true)'],
    ['postgres', 'alter table vault.secrets alter secret drop not null'],
    ['postgres', `alter table vault.secrets alter name set default 'text'`],
    ['postgres', 'create index on vault.secrets (description)'],
    ['postgres', 'alter schema vault rename to other'],
    ['postgres', 'create function vault._random_bytes(text) returns bytea language sql as $$ select null $$'],
    ['postgres', 'create or replace view vault.decrypted_secrets as select 1 as id'],
    ['postgres', 'alter function vault.create_secret set search_path = public'],
    ['postgres', 'alter function vault._crypto_aead_det_decrypt security invoker'],
    ['postgres', 'alter extension supabase_vault drop table vault.secrets'],
  ])('of %s do not permit: %s', async (role, sql) => {
    await query(`create temporary table t (line text); grant usage on schema vault to anon, authenticated;
      set local role ${role}`);
    await expect(query(sql)).rejects.toMatchObject({ code: '42501' });
  });

  it('of functions that read the key belong to the superuser, and all others to a role without rights', async () => {
    expect(
      await query(`select proname as name, pg_get_userbyid(proowner) as owner from pg_proc
        where pronamespace = 'vault'::regnamespace and prosecdef order by 1`),
    ).toEqual([
      { name: '_crypto_aead_det_decrypt', owner: 'supabase_admin' },
      { name: '_crypto_aead_det_encrypt', owner: 'supabase_admin' },
      { name: 'create_secret', owner: 'greenroom_vault' },
      { name: 'update_secret', owner: 'greenroom_vault' },
    ]);
    expect(
      await query(`select rolsuper, rolcanlogin, rolcreaterole, rolbypassrls, pg_has_role(oid, 'supabase_admin', 'member') as member,
        has_function_privilege(oid, 'vault._derive_key(text, bigint, bytea)', 'execute') as "readsKey"
        from pg_roles where rolname = 'greenroom_vault'`),
    ).toEqual([
      {
        rolsuper: false,
        rolcanlogin: false,
        rolcreaterole: false,
        rolbypassrls: false,
        member: false,
        readsKey: false,
      },
    ]);
  });
});

describe('code of a project', () => {
  it('is not called in place of functions, operators, types and tables of PostgreSQL and Vault', async () => {
    await query(IMPOSTORS);
    const [row] = await query(`
      select vault.update_secret(vault.create_secret('former', 'a'), 'value');
      select decrypted_secret = 'value' as is_equal from vault.decrypted_secrets`);
    expect(row).toEqual({ is_equal: true });
  });

  it('is not called in place of functions of pgcrypto', async () => {
    const rows = await query(`
      drop extension pgcrypto cascade;
      create function extensions.hmac(bytea, bytea, text) returns bytea language plpgsql as $$ begin raise 'called'; end $$;
      create function extensions.encrypt_iv(bytea, bytea, bytea, text) returns bytea language plpgsql as $$ begin raise 'called'; end $$;
      create function extensions.gen_random_bytes(int) returns bytea language plpgsql as $$ begin raise 'called'; end $$;
      select vault.create_secret('value');
      ${READ}`);
    expect(rows).toEqual([{ name: null, value: 'value' }]);
  });

  it('runs as the owner of the table in a foreign key, who has no rights', async () => {
    await query(`
      create type public.reference as (id uuid);
      create function public.id_of(value public.reference) returns uuid language plpgsql as $$
      begin
        if current_user = 'postgres' then return value.id; end if;
        raise exception 'as %, superuser: %', current_user,
          (select rolsuper from pg_roles where rolname = current_user);
      end $$;
      create cast (public.reference as uuid) with function public.id_of as implicit;
      create table public.accounts (secret public.reference references vault.secrets (id))`);
    await expect(
      query(`insert into public.accounts select row(vault.create_secret('value'))::public.reference`),
    ).rejects.toMatchObject({ message: 'as greenroom_vault, superuser: f' });
  });
});

describe('the extension', () => {
  it.each(['0.2.8', '0.3.0', '0.3.1'])('is dropped, and created with version %s', async (version) => {
    const rows = await query(`
      select vault.create_secret('former');
      drop extension supabase_vault;
      create extension if not exists supabase_vault with schema vault version '${version}';
      select vault.create_secret('value', 'name');
      ${READ}`);
    expect(rows).toEqual([{ name: 'name', value: 'value' }]);
    expect(await query(`select extversion from pg_extension where extname = 'supabase_vault'`)).toEqual([
      { extversion: version },
    ]);
    expect(await query('show search_path')).not.toEqual([]);
    await query(`alter extension supabase_vault update to '0.3.1'; ${READ}`);
  });

  it('gives no rights that default privileges would give, and takes over a schema of the project', async () => {
    const other = await createTestDatabase();
    const owner = await openClient(other.ownerUrl);
    try {
      await other.run(`
        drop extension supabase_vault;
        drop schema vault;
        alter default privileges for role supabase_admin grant all on tables to anon;
        alter default privileges for role supabase_admin grant all on functions to anon`);
      await owner.query(`
        create schema vault;
        grant all on schema vault to anon;
        create extension supabase_vault`);
      expect(
        await query(
          `select nspowner::regrole::text as owner, has_schema_privilege('postgres', oid, 'create') as creates,
            has_schema_privilege('anon', oid, 'create') as anon_creates,
            has_table_privilege('anon', 'vault.secrets', 'select') as selects,
            has_table_privilege('anon', 'vault.decrypted_secrets', 'select') as decrypts,
            (select count(*)::int from pg_proc where pronamespace = pg_namespace.oid
              and has_function_privilege('anon', pg_proc.oid, 'execute')) as functions
          from pg_namespace where nspname = 'vault'`,
          owner,
        ),
      ).toEqual([
        {
          owner: 'supabase_admin',
          creates: false,
          anon_creates: false,
          selects: false,
          decrypts: false,
          functions: 0,
        },
      ]);
      await owner.query(`select vault.create_secret('value')`);
    } finally {
      await owner.end();
      await other.drop();
    }
  });

  it('is refused while the role that owns the secrets has members', async () => {
    const admin = await openClient(database.url);
    try {
      await admin.query(
        `begin; drop extension supabase_vault; create role clerk; grant greenroom_vault to clerk`,
      );
      await expect(admin.query('create extension supabase_vault')).rejects.toMatchObject({
        code: '42501',
        message: 'the role "greenroom_vault" is reserved for Vault, but has members',
      });
    } finally {
      await admin.end();
    }
  });
});

/** The objects of the placeholder of earlier versions, as members of the extension. */
const PLACEHOLDER = `
  drop extension supabase_vault;
  create extension supabase_vault version '0';
  create view vault.secrets as select null::uuid as id, null::text as name, null::text as description, null::text as secret,
    null::uuid as key_id, null::bytea as nonce, null::timestamptz as created_at, null::timestamptz as updated_at where false;
  create view vault.decrypted_secrets as select null::uuid as id, null::text as name, null::text as description,
    null::text as secret, null::text as decrypted_secret, null::uuid as key_id, null::bytea as nonce,
    null::timestamptz as created_at, null::timestamptz as updated_at where false;
  create function vault.create_secret(new_secret text, new_name text default null, new_description text default '',
    new_key_id uuid default null) returns uuid language plpgsql as $$ begin raise 'placeholder'; end $$;
  create function vault.update_secret(secret_id uuid, new_secret text default null, new_name text default null,
    new_description text default null, new_key_id uuid default null) returns void language plpgsql
    as $$ begin raise 'placeholder'; end $$;
  alter extension supabase_vault add view vault.secrets;
  alter extension supabase_vault add view vault.decrypted_secrets;
  alter extension supabase_vault add function vault.create_secret(text, text, text, uuid);
  alter extension supabase_vault add function vault.update_secret(uuid, text, text, text, uuid);
  grant all on vault.secrets, vault.decrypted_secrets to postgres with grant option;
  update pg_extension set extversion = '0.2.8' where extname = 'supabase_vault'`;

describe('the placeholder of an earlier version', () => {
  it.each([
    ['', []],
    [
      `create view public.names as select name from vault.secrets;
       create view public.texts as select decrypted_secret from vault.decrypted_secrets;
       create role reader; grant usage on schema vault to reader; grant select on vault.decrypted_secrets to reader`,
      ['select name from public.names', 'select decrypted_secret as name from public.texts'],
    ],
  ])('becomes Vault, and objects that depend on it stay: %s', async (dependents, reads) => {
    const former = await createTestDatabase();
    const migrations = await Promise.all(
      ['0014_vault_secrets', '0021_placeholder_secrets'].map((name) =>
        readFile(new URL(`./migrations/${name}.sql`, import.meta.url), 'utf8'),
      ),
    );
    const admin = await openClient(former.url);
    try {
      await admin.query(`begin; ${PLACEHOLDER}; set local session authorization postgres; ${dependents};
        reset session authorization`);
      for (const migration of migrations) await admin.query(migration);
      await admin.query(`set local role postgres; select vault.create_secret('name', 'name')`);
      expect(await query(READ, admin)).toEqual([{ name: 'name', value: 'name' }]);
      for (const read of reads) expect(await query(read, admin)).toEqual([{ name: 'name' }]);
      if (reads.length > 0)
        await admin.query('set local role reader; select name from vault.decrypted_secrets');
      await admin.query('set local role postgres; savepoint before');
      for (const view of ['decrypted_secrets', ...(reads.length > 0 ? ['_placeholder_secrets'] : [])]) {
        const insertion = `insert into vault.${view} (name, secret) values ('a', 'b')`;
        await expect(admin.query(insertion)).rejects.toMatchObject({ code: '42501' });
        await admin.query('rollback to before');
      }
      await admin.query('set local role anon');
      await expect(admin.query(`select vault.create_secret('a')`)).rejects.toMatchObject({ code: '42501' });
      await admin.query('rollback');
    } finally {
      await admin.end();
      await former.drop();
    }
  });
});

describe('an external database', () => {
  it('keeps the key in a table that only its owner reads', async () => {
    const external = await createEmptyDatabase();
    const name = `owner_of_${external.name}`;
    const url = new URL(external.url);
    url.username = name;
    // A server that does not know the extension.
    await external.run(`
      create role ${name} login createrole password 'test';
      grant anon, authenticated, service_role, authenticator, supabase_auth_admin, supabase_storage_admin, supabase_realtime_admin, dashboard_user, supabase_admin to ${name} with admin option;
      alter database ${external.name} owner to ${name};
      alter database ${external.name} set extension_control_path = '$system'`);
    await migrate(url.href, [platformMigrations]);
    const owner = await openClient(url.href);
    try {
      await owner.query(
        `select vault.update_secret(vault.create_secret('former', 'a'), 'one'), vault.create_secret('two', 'b')`,
      );
      expect(await query(READ, owner)).toEqual([
        { name: 'a', value: 'one' },
        { name: 'b', value: 'two' },
      ]);
      for (const role of ['anon', 'authenticated', 'service_role']) {
        for (const refused of [
          'select * from greenroom.vault_key',
          `select vault._derive_key('encryption', 0, '')`,
        ]) {
          await expect(query(`begin; set local role ${role}; ${refused}`, owner)).rejects.toMatchObject({
            code: '42501',
          });
          await owner.query('rollback');
        }
      }
      await expect(
        query(`begin; set local role anon; select vault.create_secret('a')`, owner),
      ).rejects.toMatchObject({ code: '42501' });
      await owner.query('rollback');
      expect(await query(`begin; set local role service_role; ${READ}`, owner)).toHaveLength(2);
      await owner.query('rollback');
      await owner.query(
        `update vault.secrets set secret = (select secret from vault.secrets where name = 'b')`,
      );
      await expect(query(READ, owner)).rejects.toMatchObject({ message: 'invalid ciphertext' });
      await owner.query('update greenroom.vault_key set key = sha256(key)');
      await expect(query(READ, owner)).rejects.toMatchObject({
        message: 'the secret was encrypted with another key than that of Vault',
      });
    } finally {
      await owner.end();
      await external.drop();
    }
  });
});
