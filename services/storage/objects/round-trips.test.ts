/** Counts the database round trips of uploads. A round trip costs more than most statements. */
import { recordFlushes } from '@greenroom/testing';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { StorageServer } from '../testing/storage-server.ts';

const flushes: string[] = [];
let server: StorageServer;
beforeAll(async () => {
  server = await StorageServer.open();
  const { context } = server.instance;
  context.database = recordFlushes(context.database, flushes);
  await server.request('POST /bucket', { body: { name: 'b', allowed_mime_types: ['text/*'] } });
});
afterAll(() => server.close());
beforeEach(() => {
  flushes.length = 0;
});

it.each([
  ['of a new key', 'POST /object/b/new.txt', 'text/plain', 200, ['writes and rollback', 'writes and commit']],
  [
    'that overwrites',
    'PUT /object/b/new.txt',
    'text/plain',
    200,
    ['writes and rollback', 'writes and commit'],
  ],
  [
    'of a type that the bucket does not allow',
    'POST /object/b/new.png',
    'image/png',
    400,
    ['writes and rollback'],
  ],
  ['of an existing key', 'POST /object/b/new.txt', 'text/plain', 400, ['writes and rollback', 'query']],
  ['to an unknown bucket', 'POST /object/c/new.txt', 'text/plain', 400, ['writes and rollback', 'query']],
])('an upload %s takes the flushes $4', async (_, target, type, status, expected) => {
  const response = await server.request(target, { headers: { 'content-type': type }, body: 'content' });
  expect(response.status, response.text).toBe(status);
  expect(flushes).toEqual(expected);
});
