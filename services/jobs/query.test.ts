import { createTestDatabase, openClient, type TestDatabase } from '@greenroom/testing';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createQuery } from './query.ts';

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  client = await openClient(database.netUrl);
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

describe('a statement of the service', () => {
  it('waits for the one before, also if that fails', async () => {
    let inProgress = 0;
    let maxInProgress = 0;
    const send = client.query.bind(client) as (text: string, values: unknown[]) => Promise<pg.QueryResult>;
    vi.spyOn(client, 'query').mockImplementation(async (text: unknown, values: unknown) => {
      inProgress += 1;
      maxInProgress = Math.max(maxInProgress, inProgress);
      return send(text as string, values as unknown[]).finally(() => {
        inProgress -= 1;
      });
    });
    const query = createQuery(client);
    const results = [query('select 1 as n'), query('select 1 / 0'), query('select $1::int as n', [3])];
    expect(await Promise.allSettled(results)).toMatchObject([
      { value: [{ n: 1 }] },
      { reason: { code: '22012' } },
      { value: [{ n: 3 }] },
    ]);
    expect(maxInProgress).toBe(1);
    vi.restoreAllMocks();
  });
});

describe('a transaction of the service', () => {
  it('ends before the next statement', async () => {
    const query = createQuery(client);
    const [inside, after] = await Promise.all([
      query.transaction([
        { text: `select set_config('greenroom.id', pg_current_xact_id()::text, true)` },
        { text: `select current_setting('greenroom.id') = pg_current_xact_id()::text as same` },
      ]),
      query(`select current_setting('greenroom.id') as id`),
    ]);
    expect([inside, after]).toEqual([[{ same: true }], [{ id: '' }]]);
  });

  it('is rolled back if a statement fails', async () => {
    const query = createQuery(client);
    const failed = query.transaction([{ text: `set greenroom.done = 'yes'` }, { text: 'select 1 / 0' }]);
    await expect(failed).rejects.toMatchObject({ code: '22012' });
    expect(await query(`select current_setting('greenroom.done', true) = 'yes' as done`)).not.toEqual([
      { done: true },
    ]);
  });
});
