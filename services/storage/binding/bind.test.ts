/** Binds every combination of a database and a store, for disk and S3 stores, on a real database. */
import { randomUUID } from 'node:crypto';
import { createLogger } from '@greenroom/log';
import { type Database, openDatabase } from '@greenroom/postgres';
import { createTestDatabase, type TestDatabase } from '@greenroom/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ObjectStore } from '../store/object-store.ts';
import { ANY_WRITE, newBytes, newName, streamOf, versionsIn } from '../store/testing/content.ts';
import { type OpenedStore, TEST_STORES } from '../store/testing/open-stores.ts';
import { bindStore, isBound, requireUnboundStore } from './bind.ts';

const A = '0a0a0a0a-0000-4000-8000-000000000000';
const B = '0b0b0b0b-0000-4000-8000-000000000000';

/** Ids of database and store after a start. */
type Ids = [database: string | null | undefined, store: string | undefined];

/**
 * States of a database. An old version is from before instances had ids, and `objects` is the location of its rows' content.
 */
const DATABASES = {
  new: { id: null, isOld: false, objects: 'none' },
  'new, with restored objects': { id: null, isOld: false, objects: 'here' },
  'of an old version, with objects': { id: null, isOld: true, objects: 'here' },
  'of an old version, without objects': { id: null, isOld: true, objects: 'none' },
  'of an old version, with objects of another store': { id: null, isOld: true, objects: 'elsewhere' },
  'with id A and objects': { id: A, isOld: false, objects: 'here' },
  'with id A, without objects': { id: A, isOld: false, objects: 'none' },
  'with id A and objects of another store': { id: A, isOld: false, objects: 'elsewhere' },
  'with id A, interrupted while writing to the store': { id: A, isOld: true, objects: 'none' },
} as const;
type DatabaseName = keyof typeof DATABASES;

/** States of a store. */
const STORES = {
  empty: { id: undefined, hasContent: false },
  'with content, without id': { id: undefined, hasContent: true },
  'empty, with id A': { id: A, hasContent: false },
  'with content and id A': { id: A, hasContent: true },
  'with content and id B': { id: B, hasContent: true },
  'empty, with id B': { id: B, hasContent: false },
} as const;
type StoreName = keyof typeof STORES;

/** Result of a start: both ids, or an error. */
type Outcome = 'an error until adoption' | 'a new id for both' | typeof A | typeof B;

const ROWS: [DatabaseName, Record<StoreName, Outcome | undefined>][] = [
  [
    'new',
    {
      empty: 'a new id for both',
      'with content, without id': 'an error until adoption',
      'empty, with id A': 'an error until adoption',
      'with content and id A': 'an error until adoption',
      'with content and id B': 'an error until adoption',
      'empty, with id B': 'an error until adoption',
    },
  ],
  [
    'new, with restored objects',
    {
      empty: undefined,
      'with content, without id': 'a new id for both',
      'empty, with id A': undefined,
      'with content and id A': A,
      'with content and id B': B,
      'empty, with id B': undefined,
    },
  ],
  [
    'of an old version, with objects',
    {
      empty: undefined,
      'with content, without id': 'a new id for both',
      'empty, with id A': undefined,
      'with content and id A': A,
      'with content and id B': B,
      'empty, with id B': undefined,
    },
  ],
  [
    'of an old version, without objects',
    {
      empty: 'a new id for both',
      'with content, without id': 'a new id for both',
      'empty, with id A': 'an error until adoption',
      'with content and id A': 'an error until adoption',
      'with content and id B': 'an error until adoption',
      'empty, with id B': 'an error until adoption',
    },
  ],
  [
    'of an old version, with objects of another store',
    {
      empty: 'a new id for both',
      'with content, without id': 'an error until adoption',
      'empty, with id A': 'an error until adoption',
      'with content and id A': 'an error until adoption',
      'with content and id B': 'an error until adoption',
      'empty, with id B': 'an error until adoption',
    },
  ],
  [
    'with id A and objects',
    {
      empty: undefined,
      'with content, without id': A,
      'empty, with id A': undefined,
      'with content and id A': A,
      'with content and id B': 'an error until adoption',
      'empty, with id B': undefined,
    },
  ],
  [
    'with id A, without objects',
    {
      empty: A,
      'with content, without id': 'an error until adoption',
      'empty, with id A': A,
      'with content and id A': A,
      'with content and id B': 'an error until adoption',
      'empty, with id B': 'an error until adoption',
    },
  ],
  [
    'with id A and objects of another store',
    {
      empty: A,
      'with content, without id': 'an error until adoption',
      'empty, with id A': A,
      'with content and id A': A,
      'with content and id B': 'an error until adoption',
      'empty, with id B': 'an error until adoption',
    },
  ],
  [
    'with id A, interrupted while writing to the store',
    {
      empty: A,
      'with content, without id': A,
      'empty, with id A': A,
      'with content and id A': A,
      'with content and id B': 'an error until adoption',
      'empty, with id B': 'an error until adoption',
    },
  ],
];
const CASES = ROWS.flatMap(([database, stores]) =>
  Object.entries(stores).flatMap(([store, outcome]) =>
    outcome === undefined ? [] : [[database, store as StoreName, outcome] as const],
  ),
);

describe.each(TEST_STORES)('a store %s', (_, openOne) => {
  let template: TestDatabase;
  let database: Database;
  let opened: OpenedStore;
  let store: ObjectStore;
  beforeAll(async () => {
    [template, opened] = await Promise.all([createTestDatabase(), openOne()]);
    store = opened.store;
    database = openDatabase({ url: template.storageUrl, max: 5, applicationName: 'test binding' });
    await template.admin.query({ text: `insert into storage.buckets (id, name) values ('b', 'b')` });
  });
  afterAll(async () => {
    await database.close();
    await Promise.all([template.drop(), opened.close()]);
  });
  beforeEach(() => opened.empty());

  const log = createLogger('silent');
  const bind = (isAdopting = false) => bindStore({ database, store, isAdopting, log });

  async function ids(): Promise<Ids> {
    const [row] = await template.admin.query<{ id: string | null }>({
      text: 'select id from greenroom.instance',
    });
    return [row?.id, await store.readInstanceId()];
  }

  async function arrange(databaseName: DatabaseName, storeName: StoreName): Promise<void> {
    const { id, isOld, objects } = DATABASES[databaseName];
    const { id: storeId, hasContent } = STORES[storeName];
    await template.admin.batch([
      { text: `select set_config('storage.allow_delete_query', 'true', true)` },
      { text: 'delete from storage.objects' },
      { text: 'update greenroom.instance set id = $1, is_from_before_ids = $2', values: [id, isOld] },
    ]);
    const name = newName('k');
    const text = `insert into storage.objects (bucket_id, name, version) values ('b', $1, $2)`;
    if (objects !== 'none') await database.query({ text, values: ['gone', randomUUID()] });
    if (objects === 'here') await database.query({ text, values: ['k', name.version] });
    const content = { ...name, bucket: 'b' };
    if (hasContent) await store.write(content, streamOf(newBytes(9)), ANY_WRITE);
    if (storeId !== undefined) await store.writeInstanceId(storeId);
  }

  it.each(CASES)(
    'of the state "$1" with the database "$0" results in $2',
    async (databaseName, storeName, outcome) => {
      await arrange(databaseName, storeName);
      const before = [await ids(), await versionsIn(store)];
      if (outcome === 'an error until adoption') {
        await expect(bind()).rejects.toMatchObject({
          name: 'StoreMismatchError',
          message: expect.stringContaining('GREENROOM_ADOPT_STORE=true'),
        });
        expect([await ids(), await versionsIn(store)]).toEqual(before);
        expect(await isBound({ database, store })).toBe(false);
        await bind(true);
      } else {
        await bind();
      }
      const [databaseId, storeId] = await ids();
      expect(storeId).toBe(databaseId);
      expect(storeId).toMatch(/^[0-9a-f-]{36}$/);
      if (outcome !== 'a new id for both' && outcome !== 'an error until adoption')
        expect(storeId).toBe(outcome);
      expect(await versionsIn(store)).toEqual(before[1]);
      expect(await isBound({ database, store })).toBe(true);
      await bind();
      expect(await ids()).toEqual([databaseId, storeId]);
    },
  );

  it.each([
    [
      'new',
      'with content and id A',
      /belongs to the instance 0a0a.*, but the database is new\.\n.*database.*is missing/s,
    ],
    ['new', 'with content, without id', /contains objects of another instance, but the database is new/],
    [
      'with id A, without objects',
      'with content and id B',
      /instance 0b0b.*, but the database belongs to the instance 0a0a/,
    ],
    [
      'of an old version, with objects of another store',
      'with content and id A',
      /and contains none of the objects in the database/,
    ],
  ] as const)(
    'reports the mismatch with the database "%s" and the store "%s"',
    async (databaseName, storeName, message) => {
      await arrange(databaseName, storeName);
      await expect(bind()).rejects.toThrow(message);
      await expect(bind()).rejects.toThrow(store.location);
    },
  );

  it('gets one id when several nodes start at once', async () => {
    await arrange('new', 'empty');
    await Promise.all(Array.from({ length: 5 }, () => bind()));
    const [databaseId, storeId] = await ids();
    expect(databaseId).toMatch(/^[0-9a-f-]{36}$/);
    expect(storeId).toBe(databaseId);
  });

  it('continues with the same id after an interrupted start', async () => {
    await arrange('new', 'empty');
    const failing = { ...store, writeInstanceId: () => Promise.reject(new Error('killed')) };
    await expect(bindStore({ database, store: failing, isAdopting: false, log })).rejects.toThrow('killed');
    const [databaseId] = await ids();
    await bind();
    expect(await ids()).toEqual([databaseId, databaseId]);
  });

  it('needs one query and one read if it is already bound', async () => {
    await arrange('with id A and objects', 'with content and id A');
    const calls: string[] = [];
    const counted = {
      ...database,
      query: ((statement) => {
        calls.push('query');
        return database.query(statement);
      }) as Database['query'],
      transaction: () => Promise.reject(new Error('a transaction')),
    };
    const read = (signal?: AbortSignal) => {
      calls.push('read');
      return store.readInstanceId(signal);
    };
    const reading = { ...store, readInstanceId: read, list: () => never(), has: () => never() };
    await bindStore({ database: counted, store: reading, isAdopting: false, log });
    expect(calls.toSorted()).toEqual(['query', 'read']);
  });

  it('that cannot be read prevents only the start on a new database', async () => {
    const failing = { ...store, readInstanceId: () => Promise.reject(new Error('unreachable')) };
    const bindFailing = () => bindStore({ database, store: failing, isAdopting: false, log });
    await arrange('new', 'empty');
    await expect(bindFailing()).rejects.toThrow('unreachable');
    await arrange('with id A and objects', 'with content and id A');
    await bindFailing();
    await arrange('of an old version, with objects', 'with content, without id');
    await bindFailing();
    expect(await ids()).toEqual([null, A]);
  });

  it('stays without an id if the database is of a version without ids', async () => {
    await arrange('with id A, without objects', 'with content, without id');
    await template.admin.query({ text: 'alter table greenroom.instance rename to hidden' });
    try {
      await bind();
      expect(await store.readInstanceId()).toBeUndefined();
      expect(await isBound({ database, store })).toBe(false);
    } finally {
      await template.admin.query({ text: 'alter table greenroom.hidden rename to instance' });
    }
  });

  it.each([
    ['empty', true],
    ['with content, without id', false],
    ['empty, with id A', false],
    ['with content and id A', false],
  ] as const)('of the state "%s" is accepted for a new database: %s', async (storeName, isFree) => {
    await arrange('new', storeName);
    const required = requireUnboundStore(store);
    if (isFree) await required;
    else await expect(required).rejects.toThrow('but the database is new');
  });
});

function never(): never {
  throw new Error('not needed');
}

describe('greenroom.instance', () => {
  it('cannot be accessed by request roles, and has no id in a new database', async () => {
    const database = await createTestDatabase();
    const [row] = await database.admin.query({
      text: `select id, is_from_before_ids, array(
          select rolname::text from pg_roles
          where rolname in ('anon', 'authenticated', 'service_role', 'authenticator')
            and has_any_column_privilege(oid, 'greenroom.instance', 'select, insert, update, references')
        ) as readers, array(
          select rolname::text from pg_roles
          where rolname in ('anon', 'authenticated', 'authenticator') and has_schema_privilege(oid, 'greenroom', 'usage')
        ) as users
        from greenroom.instance`,
    });
    expect(row).toEqual({ id: null, is_from_before_ids: false, readers: [], users: [] });
    await database.drop();
  });
});
