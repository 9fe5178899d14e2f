import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '@greenroom/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { advise, runLints } from './advise.ts';
import { defineLint } from './lint.ts';
import type { LintName } from './lint-names.ts';
import { LINTS } from './lints.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

describe('advise', () => {
  it('finds nothing in a new database', async () => {
    expect(await advise({ url: database.ownerUrl, exposedSchemas: ['public'] })).toEqual([]);
  });

  it('returns findings in the form of the Supabase CLI, for the exposed schemas', async () => {
    await database.run(`create schema shop;
      create table shop.orders (id int primary key);
      grant select on shop.orders to anon;`);
    const [finding, ...others] = await advise({ url: database.ownerUrl, exposedSchemas: ['shop'] });
    expect(others).toEqual([]);
    expect(finding).toEqual({
      name: 'rls_disabled_in_public',
      title: 'RLS Disabled in Public',
      level: 'ERROR',
      facing: 'EXTERNAL',
      categories: ['SECURITY'],
      description: expect.stringMatching(/\.$/),
      detail: 'Row-level security is disabled on table shop.orders, which is part of the data API.',
      remediation: expect.stringMatching(/\.$/),
      metadata: { schema: 'shop', name: 'orders', type: 'table' },
      cache_key: 'rls_disabled_in_public_shop_orders',
    });
    expect(await advise({ url: database.ownerUrl, exposedSchemas: ['public'] })).toEqual([]);
  });

  it('checks a database without the schemas of the platform', async () => {
    const empty = await createEmptyDatabase();
    await empty.run('create table log (text text)');
    const findings = await advise({ url: empty.url, exposedSchemas: ['public'] });
    expect(findings.map(({ cache_key: key }) => key)).toEqual(['no_primary_key_public_log']);
    await empty.drop();
  });

  it('names the lint whose query fails, and skips lints whose tables do not exist', async () => {
    const lint = (name: LintName, sql: string, reads?: string) =>
      defineLint<object>({
        ...{ name, title: '', level: 'INFO', category: 'SECURITY', description: '', remediation: '' },
        ...(reads !== undefined && { reads }),
        sql,
        report: () => ({ detail: '', metadata: {}, key: [] }),
      });
    const run = (...lints: Parameters<typeof runLints>[0]) =>
      runLints(lints, [], (statements) => database.admin.batch(statements));
    const sound = lint('no_primary_key', 'select 1 as one');
    const skipped = lint('table_bloat', 'select * from nowhere.at_all', 'nowhere.at_all');
    expect((await run(sound, skipped)).map(({ name }) => name)).toEqual(['no_primary_key']);
    await expect(run(sound, skipped, lint('invalid_index', 'select nope'))).rejects.toThrow(
      'the lint invalid_index failed: column "nope" does not exist',
    );
  });

  it('rejects with the error of the connection', async () => {
    const url = new URL(database.ownerUrl);
    url.password = 'wrong';
    await expect(advise({ url: url.href, exposedSchemas: [] })).rejects.toThrow(
      'password authentication failed for user "postgres"',
    );
  });
});

it('lints have different names, and sentences as texts', () => {
  const names = LINTS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const { description, remediation } of LINTS)
    for (const text of [description, remediation]) expect(text).toMatch(/^[A-Z].*\.$/);
});
