import { setImmediate as turn } from 'node:timers/promises';
import { createTestDatabase } from '@greenroom/testing';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { authRequest } from '../../testing/request.ts';
import { createPasswordHasher } from './hash.ts';
import { createHashQueue, hashBounds } from './hash-queue.ts';

describe('hashBounds', () => {
  it.each([
    ['four threads and two cores', 4, 2, 2, 1],
    ['four threads and many cores', 4, 16, 2, 1],
    ['many threads and four cores', 64, 4, 4, 2],
    ['one core', 4, 1, 1, 1],
    ['one thread', 1, 8, 1, 1],
  ])('limits the hashes for %s', (_, threads, cores, max, maxPerClient) => {
    expect(hashBounds(threads, cores)).toMatchObject({ max, maxPerClient });
  });
});

describe('createHashQueue', () => {
  /** Work that runs until the test ends it. */
  function pendingWork() {
    const { promise, resolve } = Promise.withResolvers<void>();
    return { work: () => promise, end: resolve };
  }

  it('rejects calls beyond its limit with 429 and Retry-After', async () => {
    const queue = createHashQueue({ max: 1, maxPerClient: 1, maxWaiting: 1, maxWaitingPerClient: 1 });
    const { work, end } = pendingWork();
    const accepted = [queue(['a'], work), queue(['a'], work)];
    await expect(queue(['a'], work)).rejects.toMatchObject({
      status: 429,
      code: 'over_request_rate_limit',
      headers: { 'retry-after': '1' },
    });
    end();
    await Promise.all(accepted);
  });

  it('gives a permit to another client while one client has many waiting', async () => {
    const queue = createHashQueue({ ...hashBounds(4, 2), maxWaiting: 100 });
    const { work, end } = pendingWork();
    const attacker = Array.from({ length: 20 }, () => queue(['a'], work));
    await turn();
    expect(await queue(['b'], async () => 'done')).toBe('done');
    end();
    await Promise.all(attacker);
  });
});

it('a new PostgreSQL connection does not wait for queued hashes', async () => {
  const database = await createTestDatabase();
  const hasher = createPasswordHasher();
  let left = 60;
  const hashes = Array.from({ length: left }, (_, n) =>
    hasher.matches(`wrong ${n}`, null, authRequest()).finally(() => {
      left -= 1;
    }),
  );
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  expect(left).toBeGreaterThan(0);
  await client.end();
  await Promise.all(hashes);
  await database.drop();
});
