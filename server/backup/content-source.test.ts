import { randomUUID } from 'node:crypto';
import { MAX_METADATA_BYTES } from '@greenroom/backup';
import { openDatabase } from '@greenroom/postgres';
import type { ContentStore } from '@greenroom/storage/content-store';
import { createTestDatabase, type TestDatabase } from '@greenroom/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contentRows, contentSource } from './content-source.ts';

/** Metadata of this number of bytes, as PostgreSQL writes it. */
const ofBytes = (bytes: number) => `jsonb_build_object('a', repeat('x', ${bytes - '{"a": ""}'.length}))`;
/** Text that PostgreSQL cannot compress to less than its half. */
const RANDOM = `jsonb_build_object('a', (select string_agg(md5(n::text || random()::text), '') from generate_series(1, 70000) n))`;

let database: TestDatabase;
const store = {} as ContentStore;

beforeAll(async () => {
  database = await createTestDatabase();
  await insert('usual', `'{"size": 3, "eTag": "\\"a\\""}'`);
  await insert('without', 'null');
  await insert('largest', ofBytes(MAX_METADATA_BYTES));
  await insert('longer', ofBytes(MAX_METADATA_BYTES + 1));
  await insert('compressed', ofBytes(2_000_000));
  await insert('random', RANDOM);
  await insert(null, 'null');
  await insert('escaped', `jsonb_build_object('a', repeat('"', ${MAX_METADATA_BYTES - 100}))`);
});
afterAll(() => database.drop());

async function insert(key: string | null, metadata: string): Promise<void> {
  const session = openDatabase({ url: database.ownerUrl, max: 1, applicationName: 'test' });
  await session
    .batch([
      { text: `insert into storage.buckets (id, name) values ('b', 'b') on conflict do nothing` },
      {
        text: `insert into storage.objects (bucket_id, name, version, metadata) values ('b', $1, $2, ${metadata})`,
        values: [key, randomUUID()],
      },
    ])
    .finally(() => session.close());
}

const EXPECTED = {
  usual: { size: 3, eTag: '"a"' },
  without: null,
  largest: { a: 'x'.repeat(MAX_METADATA_BYTES - '{"a": ""}'.length) },
  longer: null,
  compressed: null,
  random: null,
  escaped: null,
};

describe('metadata of more than 16 KiB, and rows without a key, are not read', () => {
  it('for a full backup', async () => {
    const found = new Map<string, unknown>();
    for await (const { key, metadata } of contentSource(database.ownerUrl, store).rows())
      found.set(key, metadata);
    expect(Object.fromEntries(found)).toEqual(EXPECTED);
  });

  it('for a continuous backup, by times and by versions', async () => {
    const rows = contentRows(database.ownerUrl, store);
    const found = new Map<string, unknown>();
    const versions: string[] = [];
    for await (const { key, version, metadata } of rows.since(new Date(0))) {
      found.set(key, metadata);
      versions.push(version);
    }
    expect(Object.fromEntries(found)).toEqual(EXPECTED);
    const named = await rows.withVersions(versions);
    expect(Object.fromEntries(named.map(({ key, metadata }) => [key, metadata]))).toEqual(EXPECTED);
  });
});
