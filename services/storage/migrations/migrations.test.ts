import { migrate } from '@greenroom/postgres';
import { createTestDatabase, type TestDatabase } from '@greenroom/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { storageService } from '../index.ts';

const { migrations: storageMigrations } = storageService;

let database: TestDatabase;
const value = async (expression: string): Promise<unknown> =>
  (await database.admin.query<{ value: unknown }>({ text: `select ${expression} as value` }))[0]?.value;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

describe('helper functions of policies', () => {
  it.each<[string, unknown]>([
    ["storage.foldername('a/b/c.txt')", ['a', 'b']],
    ["storage.foldername('c.txt')", []],
    ["storage.foldername('a//c')", ['a', '']],
    ["storage.filename('a/b/c.txt')", 'c.txt'],
    ["storage.filename('c.txt')", 'c.txt'],
    ["storage.extension('a.b/c.tar.gz')", 'gz'],
    ["storage.extension('a.b/c')", 'c'],
    ['storage.operation()', null],
    ["storage.allow_only_operation('storage.object.upload')", false],
  ])('return for %s: %j', async (expression, expected) => {
    expect(await value(expression)).toEqual(expected);
  });

  it.each([
    ['storage.object.upload', "storage.allow_only_operation('storage.object.upload')", true],
    ['storage.object.upload', "storage.allow_only_operation('object.upload')", true],
    [
      'object.get_authenticated_info',
      "storage.allow_only_operation('storage.object.get_authenticated_info')",
      true,
    ],
    ['storage.object.upload', "storage.allow_only_operation('object.list')", false],
    ['storage.object.upload', "storage.allow_any_operation(array['object.list', 'object.upload'])", true],
    ['storage.object.upload', 'storage.allow_any_operation(array[]::text[])', false],
    ['', "storage.allow_any_operation(array[''])", false],
  ])('during %s return for %s: %s', async (operation, expression, expected) => {
    const rows = await database.admin.transaction((tx) =>
      tx.batch([
        { text: `select set_config('storage.operation', $1, true)`, values: [operation] },
        { text: `select ${expression} as value` },
      ]),
    );
    expect(rows[1]).toEqual([{ value: expected }]);
  });
});

describe('multipart uploads', () => {
  it('are listed by key, grouped by a delimiter, and continued after a marker', async () => {
    const { admin } = database;
    await admin.query({ text: "insert into storage.buckets (id, name) values ('b', 'b')" });
    for (const [id, key] of [
      ['1', 'a/x'],
      ['2', 'a/y'],
      ['3', 'b'],
      ['4', 'c'],
      ['5', 'A_'],
      ['6', 'c'],
    ]) {
      await admin.query({
        text: `insert into storage.s3_multipart_uploads (id, upload_signature, bucket_id, key, version)
          values ($1, '', 'b', $2, '')`,
        values: [id, key],
      });
    }
    const list = async (...values: unknown[]) =>
      (
        await admin.query<{ key: string; id: string }>({
          text: `select key, id from storage.list_multipart_uploads_with_delimiter(
            'b', $1, '/', $2, $3, $4)`,
          values,
        })
      ).map(({ key, id }) => `${key}=${id}`);
    expect(await list('', 10, '', '')).toEqual(['A_=5', 'a/=1', 'b=3', 'c=4']);
    expect(await list('a/', 10, '', '')).toEqual(['a/x=1', 'a/y=2']);
    expect(await list('', 2, 'a/', '')).toEqual(['b=3', 'c=4']);
    expect(await list('', 2, 'c', '4')).toEqual(['c=6']);
    expect(await list('a_', 10, '', '')).toEqual([]);
  });
});

it('sums sizes by bucket', async () => {
  const { admin } = database;
  await admin.query({ text: "insert into storage.buckets (id, name) values ('sizes', 'sizes')" });
  await admin.query({
    text: `insert into storage.objects (bucket_id, name, metadata)
      values ('sizes', 'a', '{"size": 3}'), ('sizes', 'b', '{"size": 4}'), ('sizes', 'c', null)`,
  });
  expect(await admin.query({ text: 'select * from storage.get_size_by_bucket()' })).toEqual([
    { size: '7', bucket_id: 'sizes' },
  ]);
});

it('checks whether an object may be inserted without inserting it', async () => {
  const call = database.admin.query({ text: `select storage.can_insert_object('sizes', 'new', null, '{}')` });
  await expect(call).rejects.toMatchObject({ code: 'PT200', message: 'ROLLBACK' });
  expect(await value("(select count(*)::int from storage.objects where name = 'new')")).toBe(0);
});

it('replaces the list functions of a database made by an early version', async () => {
  const earlier = await createTestDatabase();
  const { admin, url } = earlier;
  const definition = "pg_get_functiondef('storage.search_v2'::regproc)";
  const read = async () =>
    (await admin.query<{ value: string }>({ text: `select ${definition} as value` }))[0]?.value ?? '';
  const today = await read();
  await admin.query({
    text: today.replace(/\$function\$\n/, '$function$\n-- earlier\n'),
  });
  expect(await read()).not.toBe(today);
  const [checksum] = storageMigrations.otherChecksums?.['0002_lists'] ?? [];
  const history = `greenroom.migrations where service = 'storage' and version`;
  await admin.query({ text: `delete from ${history} = '0006_lists_again'` });
  await admin.query({
    text: `update greenroom.migrations set checksum = $1 where service = 'storage' and version = '0002_lists'`,
    values: [checksum],
  });
  expect(await migrate(url, [storageMigrations])).toEqual(['storage/0006_lists_again']);
  expect(await read()).toBe(today);
  await earlier.drop();
});
