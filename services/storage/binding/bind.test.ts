/** Binds every combination of a database and a store, for disk and S3 stores, on a real database. */
import { randomUUID } from 'node:crypto';
import { createLogger } from '@greenroom/log';
import { type Database, openDatabase } from '@greenroom/postgres';
import { createTestDatabase, type TestDatabase } from '@greenroom/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ObjectStore } from '../store/object-store.ts';
import { ANY_WRITE, newBytes, newName, streamOf, versionsIn } from '../store/testing/content.ts';
import { type OpenedStore, TEST_STORES } from '../store/testing/open-stores.ts';
import { bindStore, isBound, requireUnboundStore } from './bind.ts';

const A = '0a0a0a0a-0000-4000-8000-000000000000';
const B = '0b0b0b0b-0000-4000-8000-000000000000';

/** Ids of database and store after a start. */
type Ids = [database: string | null | undefined, store: string | undefined];

/**
 * States of a database. `old` was used before instances had ids, and `objects` is the location of its rows' content.
 */
const DATABASES = {
  new: { id: null, isOld: false, objects: 'none' },
  'new, with restored objects': { id: null, isOld: false, objects: 'here' },
  'old, with objects': { id: null, isOld: true, objects: 'here' },
  'old, without objects': { id: null, isOld: true, objects: 'none' },
  'old, with objects of another store': { id: null, isOld: true, objects: 'elsewhere' },
  'A, with objects': { id: A, isOld: false, objects: 'here' },
  'A, without objects': { id: A, isOld: false, objects: 'none' },
  'A, with objects of another store': { id: A, isOld: false, objects: 'elsewhere' },
  'A, cut off while its store was written': { id: A, isOld: true, objects: 'none' },
} as const;
type DatabaseName = keyof typeof DATABASES;

/** States of a store. */
const STORES = {
  empty: { id: undefined, hasContent: false },
  'content without id': { id: undefined, hasContent: true },
  'empty, of A': { id: A, hasContent: false },
  'of A': { id: A, hasContent: true },
  'of B': { id: B, hasContent: true },
  'empty, of B': { id: B, hasContent: false },
} as const;
type StoreName = keyof typeof STORES;

/** `same`: database and store have the same new id. */
type Outcome = 'refused' | 'same' | typeof A | typeof B;

const ROWS: [DatabaseName, Record<StoreName, Outcome | undefined>][] = [
  [
    'new',
    {
      empty: 'same',
      'content without id': 'refused',
      'empty, of A': 'refused',
      'of A': 'refused',
      'of B': 'refused',
      'empty, of B': 'refused',
    },
  ],
  [
    'new, with restored objects',
    {
      empty: undefined,
      'content without id': 'same',
      'empty, of A': undefined,
      'of A': A,
      'of B': B,
      'empty, of B': undefined,
    },
  ],
  [
    'old, with objects',
    {
      empty: undefined,
      'content without id': 'same',
      'empty, of A': undefined,
      'of A': A,
      'of B': B,
      'empty, of B': undefined,
    },
  ],
  [
    'old, without objects',
    {
      empty: 'same',
      'content without id': 'same',
      'empty, of A': 'refused',
      'of A': 'refused',
      'of B': 'refused',
      'empty, of B': 'refused',
    },
  ],
  [
    'old, with objects of another store',
    {
      empty: 'same',
      'content without id': 'refused',
      'empty, of A': 'refused',
      'of A': 'refused',
      'of B': 'refused',
      'empty, of B': 'refused',
    },
  ],
  [
    'A, with objects',
    {
      empty: undefined,
      'content without id': A,
      'empty, of A': undefined,
      'of A': A,
      'of B': 'refused',
      'empty, of B': undefined,
    },
  ],
  [
    'A, without objects',
    {
      empty: A,
      'content without id': 'refused',
      'empty, of A': A,
      'of A': A,
      'of B': 'refused',
      'empty, of B': 'refused',
    },
  ],
  [
    'A, with objects of another store',
    {
      empty: A,
      'content without id': 'refused',
      'empty, of A': A,
      'of A': A,
      'of B': 'refused',
      'empty, of B': 'refused',
    },
  ],
  [
    'A, cut off while its store was written',
    {
      empty: A,
      'content without id': A,
      'empty, of A': A,
      'of A': A,
      'of B': 'refused',
      'empty, of B': 'refused',
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
    template = await createTestDatabase();
    database = openDatabase({ url: template.storageUrl, max: 5, applicationName: 'test binding' });
    await template.admin.query({ text: `insert into storage.buckets (id, name) values ('b', 'b')` });
  });
  afterAll(async () => {
    await database.close();
    await template.drop();
  });
  beforeEach(async () => {
    opened = await openOne();
    store = opened.store;
  });
  afterEach(() => opened.close());

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

  it.each(CASES)('and a database: %s; the store is %s: %s', async (databaseName, storeName, outcome) => {
    await arrange(databaseName, storeName);
    const before = [await ids(), await versionsIn(store)];
    if (outcome === 'refused') {
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
    if (outcome !== 'same' && outcome !== 'refused') expect(storeId).toBe(outcome);
    expect(await versionsIn(store)).toEqual(before[1]);
    expect(await isBound({ database, store })).toBe(true);
    await bind();
    expect(await ids()).toEqual([databaseId, storeId]);
  });

  it.each([
    ['new', 'of A', /belongs to the instance 0a0a.*, but the database is new\.\n.*database.*is missing/s],
    ['new', 'content without id', /contains objects of another instance, but the database is new/],
    ['A, without objects', 'of B', /instance 0b0b.*, but the database belongs to the instance 0a0a/],
    ['old, with objects of another store', 'of A', /and contains none of the objects in the database/],
  ] as const)('the error describes the mismatch: %s, %s', async (databaseName, storeName, message) => {
    await arrange(databaseName, storeName);
    await expect(bind()).rejects.toThrow(message);
    await expect(bind()).rejects.toThrow(store.location);
  });

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

  it('costs one query and one read when already bound', async () => {
    await arrange('A, with objects', 'of A');
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
    await arrange('A, with objects', 'of A');
    await bindFailing();
    await arrange('old, with objects', 'content without id');
    await bindFailing();
    expect(await ids()).toEqual([null, A]);
  });

  it('stays without an id when the database is of a version without ids', async () => {
    await arrange('A, without objects', 'content without id');
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
    ['content without id', false],
    ['empty, of A', false],
    ['of A', false],
  ] as const)('that is %s can be used by a new database: %s', async (storeName, isFree) => {
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
      text: `select id, is_from_before_ids, has_schema_privilege('anon', 'greenroom', 'usage') as anon,
          has_schema_privilege('authenticated', 'greenroom', 'usage') as authenticated,
          has_schema_privilege('service_role', 'greenroom', 'usage') as service_role,
          has_schema_privilege('authenticator', 'greenroom', 'usage') as authenticator
        from greenroom.instance`,
    });
    expect(row).toEqual({
      id: null,
      is_from_before_ids: false,
      anon: false,
      authenticated: false,
      service_role: false,
      authenticator: false,
    });
    await database.drop();
  });
});
