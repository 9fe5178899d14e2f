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
