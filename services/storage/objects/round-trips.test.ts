/** How often an upload asks the database. Each time costs both sides more than most statements do. */
import type { Database } from '@greenroom/postgres';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { StorageServer } from '../testing/storage-server.ts';

const flushes: string[] = [];
let server: StorageServer;
beforeAll(async () => {
  server = await StorageServer.open();
  const { context } = server.instance;
  context.database = noting(context.database);
  await server.ask('POST /bucket', { body: { name: 'b', allowed_mime_types: ['text/*'] } });
});
afterAll(() => server.close());
beforeEach(() => {
  flushes.length = 0;
});

/** A database that notes every flush. */
function noting(database: Database): Database {
  const note = <Arguments extends unknown[], Result>(kind: string, send: (...sent: Arguments) => Result) => {
    return (...sent: Arguments) => {
      flushes.push(kind);
      return send(...sent);
    };
  };
  return {
    ...database,
    query: note('query', database.query) as Database['query'],
    batch: note('batch', database.batch),
    transaction: (work) =>
      database.transaction((tx) =>
        work({
          query: note('query of a transaction', tx.query) as typeof tx.query,
          batch: note('batch of a transaction', tx.batch),
          commit: note('commit', tx.commit),
          rollback: note('rollback', tx.rollback),
        }),
      ),
  };
}

it.each([
  ['that is new', 'POST /object/b/new.txt', 'text/plain', 200, ['rollback', 'commit']],
  ['that overwrites', 'PUT /object/b/new.txt', 'text/plain', 200, ['rollback', 'commit']],
  ['of a type that the bucket does not take', 'POST /object/b/new.png', 'image/png', 400, ['rollback']],
  ['of a key that is taken', 'POST /object/b/new.txt', 'text/plain', 400, ['rollback', 'query']],
  ['into a bucket that is not there', 'POST /object/c/new.txt', 'text/plain', 400, ['rollback', 'query']],
])('an upload %s', async (_, target, type, status, expected) => {
  const answer = await server.ask(target, { headers: { 'content-type': type }, body: 'content' });
  expect(answer.status, answer.text).toBe(status);
  expect(flushes).toEqual(expected);
});
