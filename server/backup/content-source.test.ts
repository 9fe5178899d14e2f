import { createTestDatabase, type TestDatabase } from '@greenroom/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { contentRows, contentSource } from './content-source.ts';

const STORE = { open: async () => undefined } as unknown as Parameters<typeof contentSource>[1];
const version = (digit: number) => `0000000${digit}-0000-4000-8000-000000000000`;

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  const insert = (digit: number, name: string, metadata: unknown) =>
    database.admin.query({
      text: `insert into storage.objects (bucket_id, name, version, metadata) values ('b', $2, $1, $3)`,
      values: [version(digit), name, JSON.stringify(metadata)],
    });
  await database.admin.query({ text: `insert into storage.buckets (id, name) values ('b', 'b')` });
  await insert(1, 'usual', { size: 5, mimetype: 'text/plain', cacheControl: 'no-cache' });
  await insert(2, 'large', { size: 6, mimetype: 'text/css', more: 'a'.repeat(20_000) });
  await insert(3, 'odd', { size: '7'.repeat(20_000), mimetype: 't'.repeat(5000) });
  await insert(4, 'list', ['a'.repeat(20_000)]);
});
afterAll(() => database.drop());

const EXPECTED = {
  usual: { size: 5, mimetype: 'text/plain', cacheControl: 'no-cache' },
  large: { size: 6, mimetype: 'text/css' },
  odd: { mimetype: 't'.repeat(1024) },
  list: null,
};

it('metadata above 16 KB is reduced to the size and the type, for each way to read rows', async () => {
  const rows: [string, unknown][] = [];
  for await (const { key, metadata } of contentSource(database.ownerUrl, STORE).rows())
    rows.push([key, metadata]);
  expect(Object.fromEntries(rows)).toEqual(EXPECTED);

  const source = contentRows(database.ownerUrl, STORE);
  const since: [string, unknown][] = [];
  for await (const { key, metadata } of source.since(new Date(0))) since.push([key, metadata]);
  expect(Object.fromEntries(since)).toEqual(EXPECTED);
  const found = await source.withVersions([version(2)]);
  expect(found.map(({ metadata }) => metadata)).toEqual([EXPECTED.large]);
});
