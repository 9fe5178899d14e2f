import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { recordFlushes } from '@greenroom/testing';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { SERVICE_CALLER } from '../caller.ts';
import type { Context } from '../context.ts';
import { saveUpload } from '../objects/save.ts';
import { lockKeys, type NewObject } from '../rows/objects.ts';
import { StorageServer } from '../testing/storage-server.ts';

const REQUEST = { operation: 'test', method: 'POST', path: '/', headers: '{}', address: undefined };
const flushes: string[] = [];
let server: StorageServer;
let context: Context;
beforeAll(async () => {
  server = await StorageServer.open();
  await server.instance.waitForStartJobs();
  ({ context } = server.instance);
  context.database = recordFlushes(context.database, flushes);
  await server.request('POST /bucket', { body: { name: 'b' } });
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.run(
    `select set_config('storage.allow_delete_query', 'true', true); delete from storage.objects`,
  );
  const leftOver = (await server.contents()).map((version) => ({ bucket: 'b', key: 'any', version }));
  await server.store.remove(leftOver);
  flushes.length = 0;
});

function rowOf(key: string, changes: Partial<NewObject> = {}): NewObject {
  const metadata = { size: 1, eTag: '"e"' };
  return {
    bucket: 'b',
    key,
    owner: null,
    ownerId: null,
    version: randomUUID(),
    metadata,
    userMetadata: {},
    ...changes,
  };
}

const write = (row: NewObject, isUpsert = false) => context.uploadGroups.write({ row, isUpsert });
const writeKinds = async (...rows: readonly NewObject[]) =>
  (await Promise.all(rows.map((row) => write(row)))).map(({ kind }) => kind);
const versions = async () => {
  const rows = await server.rows<{ name: string; version: string }>(
    'select name, version from storage.objects order by name',
  );
  return Object.fromEntries(rows.map(({ name, version }) => [name, version]));
};
const uploads = (...targets: readonly string[]) =>
  Promise.all(
    targets.map((target) =>
      server.request(target, { headers: { 'content-type': 'text/plain' }, body: target }),
    ),
  );

/** Delays all batches until `count` uploads wait for their check, so that slow connections do not arrive one by one. */
function delayBatchesUntilChecks(count: number): void {
  const { promise: allWait, resolve } = Promise.withResolvers<void>();
  const { check } = context.uploadGroups;
  let checks = 0;
  vi.spyOn(context.uploadGroups, 'check').mockImplementation((key) => {
    checks += 1;
    if (checks === count) resolve();
    return check(key);
  });
  const batch = context.database.batch.bind(context.database);
  vi.spyOn(context.database, 'batch').mockImplementation(async (statements) => {
    await allWait;
    return batch(statements);
  });
}

/** Runs `work` while another transaction has run a statement. */
function during<T>(
  statement: { text: string; values?: readonly unknown[] },
  work: () => Promise<T>,
): Promise<T> {
  return context.database.transaction(async (tx) => {
    await tx.query(statement);
    const result = await work();
    await tx.rollback();
    return result;
  });
}

describe('a group of writes', () => {
  it('writes new and existing keys in one flush', async () => {
    const [old, first, second, third] = [rowOf('old'), rowOf('new'), rowOf('old'), rowOf('other')];
    await write(old);
    flushes.length = 0;
    const outcomes = await Promise.all([
      write(first),
      write(second, true),
      write(third, true),
      write(rowOf('old2')),
    ]);
    expect(flushes).toEqual(['writes and commit']);
    const id = expect.any(String);
    expect(outcomes).toEqual([
      { kind: 'written', id, replaced: undefined },
      { kind: 'written', id, replaced: old.version },
      { kind: 'written', id, replaced: undefined },
      { kind: 'written', id, replaced: undefined },
    ]);
    expect(await versions()).toMatchObject({
      new: first.version,
      old: second.version,
      other: third.version,
    });
  });

  it('writes the same values as a write alone', async () => {
    const values = {
      owner: randomUUID(),
      ownerId: 'someone',
      metadata: { size: 3, eTag: '"ä\\"', cacheControl: 'no-cache' },
      userMetadata: { quoted: `'"\\`, list: [1, null, { deep: true }] },
    };
    await write(rowOf('grouped', values));
    const access = { caller: SERVICE_CALLER, request: REQUEST };
    const reservation = { bytes: 1, release: [] };
    const options = { access, isUpsert: false, by: 'standard', reservation, isUnrestricted: false } as const;
    await saveUpload(context, rowOf('alone', values), options);
    const [grouped, alone] = await server.rows(`select owner, owner_id, metadata, user_metadata,
      jsonb_typeof(user_metadata) as type from storage.objects order by name desc`);
    expect(grouped).toEqual(alone);
    expect(grouped).toMatchObject({ owner_id: 'someone', type: 'object' });
  });

  it('reports existing keys, and writes the others', async () => {
    const old = rowOf('old');
    await write(old);
    expect(await writeKinds(rowOf('new'), rowOf('old'))).toEqual(['written', 'exists']);
    expect(await versions()).toMatchObject({ old: old.version, new: expect.any(String) });
  });

  it('writes uploads of the same key in different groups, in their order', async () => {
    const [first, second] = [rowOf('same'), rowOf('same')];
    const outcomes = await Promise.all([write(first, true), write(second, true)]);
    expect(outcomes).toMatchObject([{ replaced: undefined }, { replaced: first.version }]);
    expect(flushes).toEqual(['writes and commit', 'writes and commit']);
    expect(await versions()).toEqual({ same: second.version });
  });

  it('counts the bytes of all rows', async () => {
    const usage = () =>
      server.rows(`select sum(bytes)::int as bytes from storage.usage where scope = 'bucket'`);
    const [before] = await usage();
    await Promise.all(['a', 'b', 'c'].map((key) => write(rowOf(key, { metadata: { size: 5 } }))));
    expect((await usage())[0]?.bytes).toBe(Number(before?.bytes ?? 0) + 15);
  });

  it.each([
    ['a bucket is missing', { bucket: 'missing' }],
    ['a value cannot be stored', { userMetadata: { text: '\0' } }],
  ])('writes no row if %s, so that each upload is written alone', async (_, changes) => {
    expect(await writeKinds(rowOf('good'), rowOf('bad', changes))).toEqual(['alone', 'alone']);
    expect(await versions()).toEqual({});
  });

  it('leaves out a key that another writer has locked, without waiting for it', async () => {
    const [lock] = lockKeys({ bucket: 'b', key: 'locked' });
    if (lock === undefined) throw new Error('there is no lock');
    const kinds = await during(lock, () => writeKinds(rowOf('locked'), rowOf('free')));
    expect(kinds).toEqual(['alone', 'written']);
    expect(Object.keys(await versions())).toEqual(['free']);
  });

  it('gives up if a transaction that is not an upload has locked one of the rows', async () => {
    await write(rowOf('row'));
    const lock = { text: `select from storage.objects where name = 'row' for update` };
    const outcomes = await during(lock, () =>
      Promise.all([write(rowOf('row'), true), write(rowOf('free'), true)]),
    );
    expect(outcomes).toEqual([{ kind: 'alone' }, { kind: 'alone' }]);
    expect(Object.keys(await versions())).toEqual(['row']);
  });

  it('writes nothing if the project has created a trigger', async () => {
    await server.run(`create function noop() returns trigger language plpgsql as 'begin return new; end';
      create trigger noop before insert on storage.objects for each row execute function noop()`);
    try {
      expect(await writeKinds(rowOf('a'), rowOf('b'))).toEqual(['alone', 'alone']);
      expect(await versions()).toEqual({});
    } finally {
      await server.run('drop trigger noop on storage.objects; drop function noop');
    }
  });

  it('leaves out large user metadata', async () => {
    const large = rowOf('large', { userMetadata: { text: 'x'.repeat(20_000) } });
    expect(await writeKinds(large, rowOf('small'))).toEqual(['alone', 'written']);
  });
});

describe('saveUpload', () => {
  /** Stores content for rows, saves all of them in the same turn, and returns the outcomes. */
  async function save(...rows: readonly NewObject[]) {
    const access = { caller: SERVICE_CALLER, request: REQUEST };
    const reservation = { bytes: 1, release: [] };
    const options = { access, isUpsert: false, by: 'standard', reservation, isUnrestricted: true } as const;
    const content = { maxBytes: 1, contentType: 'text/plain', cacheControl: 'no-cache' };
    await Promise.all(
      rows.map((row) => context.store.write(row, Readable.from([Buffer.from('x')]), content)),
    );
    const outcomes = await Promise.allSettled(rows.map((row) => saveUpload(context, row, options)));
    return outcomes.map(({ status }) => status);
  }

  it('saves an upload whose group another one made fail, and removes only the content of that one', async () => {
    const [good, bad] = [rowOf('good'), rowOf('bad', { bucket: 'missing' })];
    expect(await save(good, bad)).toEqual(['fulfilled', 'rejected']);
    expect(await versions()).toEqual({ good: good.version });
    expect(await context.store.has(good)).toBe(true);
    expect(await context.store.has(bad)).toBe(false);
  });

  it.each([
    ['the connection breaks', new Error('broken')],
    ['PostgreSQL shuts down', fatalError()],
  ])('keeps the content of a group if %s, because its rows may have been committed', async (_, error) => {
    const { database } = context;
    context.database = { ...database, transaction: () => Promise.reject(error) };
    const rows = [rowOf('one'), rowOf('two')];
    try {
      expect(await save(...rows)).toEqual(['rejected', 'rejected']);
    } finally {
      context.database = database;
    }
    expect(await Promise.all(rows.map((row) => context.store.has(row)))).toEqual([true, true]);
  });
});

function fatalError(): pg.DatabaseError {
  const error = new pg.DatabaseError('terminating connection', 0, 'error');
  error.severity = 'FATAL';
  return error;
}

describe('uploads of service_role that arrive together', () => {
  it('share their round trips', async () => {
    delayBatchesUntilChecks(12);
    const responses = await uploads(
      ...Array.from({ length: 12 }, (_, index) => `POST /object/b/many-${index}.txt`),
    );
    vi.restoreAllMocks();
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
    expect(Object.keys(await versions())).toHaveLength(12);
    expect(flushes.filter((flush) => flush === 'batch').length).toBeLessThan(12);
  });

  it('each get their own error', async () => {
    await uploads('POST /object/b/old.txt');
    const responses = await uploads(
      'POST /object/b/new.txt',
      'POST /object/b/old.txt',
      'POST /object/missing/new.txt',
      'PUT /object/b/old.txt',
    );
    expect(responses.map(({ json }) => (json as { code?: string }).code)).toEqual([
      undefined,
      'KeyAlreadyExists',
      'NoSuchBucket',
      undefined,
    ]);
    expect(await server.contents()).toHaveLength(2);
  });

  it('of one key leave exactly the content that the row names', async () => {
    const targets = Array.from({ length: 10 }, () => 'PUT /object/b/same.txt');
    for (const { status, text } of await uploads(...targets)) expect(status, text).toBe(200);
    expect(await server.contents()).toEqual(Object.values(await versions()));
  });
});

describe('a group of checks', () => {
  const check = (bucket: string, key: string) => context.uploadGroups.check({ bucket, key });

  it('reads all buckets and keys in one flush', async () => {
    await write(rowOf('old'));
    flushes.length = 0;
    const outcomes = await Promise.all([check('b', 'old'), check('b', 'new'), check('missing', 'old')]);
    expect(flushes).toEqual(['batch']);
    expect(outcomes).toMatchObject([
      { kind: 'unrestricted', bucket: { id: 'b' }, keyExists: true },
      { kind: 'unrestricted', bucket: { id: 'b' }, keyExists: false },
      { kind: 'unrestricted', bucket: undefined, keyExists: false },
    ]);
  });

  it('that PostgreSQL rejects leaves each upload alone', async () => {
    expect(await Promise.all([check('b', 'good'), check('b', 'bad\0')])).toEqual([
      { kind: 'alone' },
      { kind: 'alone' },
    ]);
  });
});
