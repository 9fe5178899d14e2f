/** The listings: fields, filters and pages. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { MetaServer } from '../testing/meta-server.ts';
import { LISTINGS } from './listings.ts';

let meta: MetaServer;

beforeAll(async () => {
  meta = await MetaServer.open({
    sql: `
      create schema shop;
      create type shop.state as enum ('new', 'paid');
      create table shop.customers (id bigint generated always as identity primary key, name text not null unique);
      create table shop.orders (
        id uuid primary key default gen_random_uuid(), customer bigint references shop.customers, state shop.state,
        total numeric check (total > 0), doubled numeric generated always as (total * 2) stored, tags text[]
      );
      comment on table shop.orders is 'All orders';
      create index orders_state on shop.orders (state) where total > 10;
      alter table shop.orders enable row level security;
      create policy own on shop.orders for select to authenticated using (true);
      create function shop.note() returns trigger language plpgsql security definer set search_path = '' as
        $$ begin return new; end $$;
      create trigger note before insert or update on shop.orders for each row when (new.total > 1) execute function shop.note();
      create publication sales for table shop.orders;
    `,
  });
});
afterAll(() => meta.close());

const list = async (path: string) => {
  const response = await meta.call(path);
  const body = await response.json();
  expect(response.status, JSON.stringify(body)).toBe(200);
  return body as Record<string, unknown>[];
};
const inShop = (kind: string, more = '') => list(`/${kind}?included_schemas=shop${more}`);

it('lists tables with keys and relationships', async () => {
  expect(await inShop('tables')).toEqual([
    expect.objectContaining({ schema: 'shop', name: 'customers', rls_enabled: false, relationships: [] }),
    expect.objectContaining({
      name: 'orders',
      comment: 'All orders',
      rls_enabled: true,
      rls_forced: false,
      replica_identity: 'DEFAULT',
      bytes: expect.any(Number),
      live_rows_estimate: 0,
      primary_keys: [{ schema: 'shop', table_name: 'orders', name: 'id', table_id: expect.any(Number) }],
      relationships: [
        {
          id: expect.any(Number),
          constraint_name: 'orders_customer_fkey',
          source_schema: 'shop',
          source_table_name: 'orders',
          source_column_name: 'customer',
          target_table_schema: 'shop',
          target_table_name: 'customers',
          target_column_name: 'id',
        },
      ],
    }),
  ]);
});

it('lists columns with types, defaults, identities and checks', async () => {
  const columns = await inShop('columns', '&table=orders');
  expect(
    columns.map(({ name, data_type, format, is_nullable }) => [name, data_type, format, is_nullable]),
  ).toEqual([
    ['id', 'uuid', 'uuid', false],
    ['customer', 'bigint', 'int8', true],
    ['state', 'USER-DEFINED', 'state', true],
    ['total', 'numeric', 'numeric', true],
    ['doubled', 'numeric', 'numeric', true],
    ['tags', 'ARRAY', '_text', true],
  ]);
  expect(
    columns.map((column) => [column.default_value, column.is_generated, column.enums, column.check]),
  ).toEqual([
    ['gen_random_uuid()', false, [], null],
    [null, false, [], null],
    [null, false, ['new', 'paid'], null],
    [null, false, [], '(total > (0)::numeric)'],
    [null, true, [], null],
    [null, false, [], null],
  ]);
  const [id, name] = await inShop('columns', '&table=customers');
  expect([id?.is_identity, id?.identity_generation, name?.is_unique]).toEqual([true, 'ALWAYS', true]);
});

it('lists policies, functions, triggers, types, indexes and publications', async () => {
  expect(await inShop('policies')).toMatchObject([
    {
      name: 'own',
      action: 'PERMISSIVE',
      roles: ['authenticated'],
      command: 'SELECT',
      definition: 'true',
      check: null,
    },
  ]);
  expect(await inShop('functions')).toMatchObject([
    {
      name: 'note',
      language: 'plpgsql',
      return_type: 'trigger',
      behavior: 'VOLATILE',
      security_definer: true,
      config_params: { search_path: '""' },
      complete_statement: expect.stringContaining('CREATE OR REPLACE FUNCTION shop.note()'),
    },
  ]);
  expect(await inShop('triggers')).toMatchObject([
    {
      name: 'note',
      table: 'orders',
      enabled_mode: 'ORIGIN',
      activation: 'BEFORE',
      orientation: 'ROW',
      events: ['INSERT', 'UPDATE'],
      condition: '(new.total > (1)::numeric)',
      function_schema: 'shop',
      function_name: 'note',
    },
  ]);
  expect(await inShop('types')).toMatchObject([{ name: 'state', enums: ['new', 'paid'], attributes: [] }]);
  expect(
    (await inShop('indexes', '&table=orders')).map(({ name, is_primary, index_predicate }) => [
      name,
      is_primary,
      index_predicate,
    ]),
  ).toEqual([
    ['orders_pkey', true, null],
    ['orders_state', false, '(total > (10)::numeric)'],
  ]);
  expect((await list('/publications')).find(({ name }) => name === 'sales')).toMatchObject({
    publish_insert: true,
    tables: [{ schema: 'shop', name: 'orders' }],
  });
});

it('lists schemas, extensions and roles, and returns no passwords', async () => {
  expect((await list('/schemas')).map(({ name }) => name)).toEqual(
    expect.arrayContaining(['public', 'shop']),
  );
  expect((await list('/schemas')).map(({ name }) => name)).not.toContain('pg_catalog');
  const schemas = await list('/schemas?include_system_schemas=true');
  expect(schemas.map(({ name }) => name)).toContain('pg_catalog');
  expect((await list('/extensions')).find(({ name }) => name === 'plpgsql')).toMatchObject({
    schema: 'pg_catalog',
    installed_version: expect.any(String),
  });
  const anon = (await list('/roles')).find(({ name }) => name === 'anon');
  expect([anon?.is_superuser, Object.hasOwn(anon ?? {}, 'password')]).toEqual([false, false]);
});

it('returns pages in a stable order', async () => {
  const [first] = await inShop('tables', '&limit=1');
  const [second] = await inShop('tables', '&limit=1&offset=1');
  expect([first?.name, second?.name]).toEqual(['customers', 'orders']);
  expect(await list('/tables?excluded_schemas=shop,public')).not.toContainEqual(
    expect.objectContaining({ schema: 'shop' }),
  );
});

it.each(['limit=0', 'limit=1001', 'offset=-1', 'other=1', 'include_system_schemas=yes', 'table=%00'])(
  'refuses %s',
  async (query) => {
    const response = await meta.call(`/tables?${query}`);
    expect([response.status, (await response.json()).code]).toEqual([400, 'invalid_request']);
  },
);

it('takes a name with quotes as a name', async () => {
  expect(
    await list(`/tables?included_schemas=${encodeURIComponent(`a"b\\,'; drop schema shop --`)}`),
  ).toEqual([]);
});

it.each(Object.keys(LISTINGS))('lists %s also of the system', async (kind) => {
  const objects = await list(`/${kind}?include_system_schemas=true&limit=1000`);
  expect(Array.isArray(objects)).toBe(true);
});
