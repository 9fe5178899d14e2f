/** Counts the database round trips of uploads. A round trip costs more than most statements. */
import { recordFlushes } from '@greenroom/testing';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { StorageServer } from '../testing/storage-server.ts';

const flushes: string[] = [];
let server: StorageServer;
let user: string;
beforeAll(async () => {
  server = await StorageServer.open();
  await server.instance.waitForStartJobs();
  const { context } = server.instance;
  context.database = recordFlushes(context.database, flushes);
  await server.request('POST /bucket', { body: { name: 'b', allowed_mime_types: ['text/*'] } });
  await server.run(
    'create policy anything on storage.objects to authenticated using (true) with check (true)',
  );
  user = await server.token();
});
afterAll(() => server.close());
beforeEach(() => {
  flushes.length = 0;
});

const COMMIT = 'writes and commit';
const CASES: [name: string, target: string, type: string, status: number, afterCheck: string[]][] = [
  ['of a new key', 'POST /object/b/new.txt', 'text/plain', 200, [COMMIT]],
  ['that overwrites', 'PUT /object/b/new.txt', 'text/plain', 200, [COMMIT]],
  ['of a type that the bucket does not allow', 'POST /object/b/new.png', 'image/png', 400, []],
];

async function upload(target: string, type: string, token?: string): Promise<number> {
  const options = { token, headers: { 'content-type': type }, body: 'content' };
  const response = await server.request(
    target.replace('new', token === undefined ? 'service' : 'user'),
    options,
  );
  return response.status;
}

it.each(CASES)(
  'an upload of a user %s checks policies by a write that is rolled back, and takes then: $4',
  async (_, target, type, status, afterCheck) => {
    expect(await upload(target, type, user)).toBe(status);
    expect(flushes).toEqual(['writes and rollback', ...afterCheck]);
  },
);

it.each([
  ['of an existing key', 'POST /object/b/new.txt'],
  ['to an unknown bucket', 'POST /object/c/new.txt'],
])('an upload of a user %s takes another query for the error', async (_, target) => {
  expect(await upload(target, 'text/plain', user)).toBe(400);
  expect(flushes).toEqual(['writes and rollback', 'query']);
});

it.each([
  ...CASES,
  ['of an existing key', 'POST /object/b/new.txt', 'text/plain', 400, []] as const,
  ['to an unknown bucket', 'POST /object/c/new.txt', 'text/plain', 400, []] as const,
])(
  'an upload of service_role %s only reads before it receives content, and takes then: $4',
  async (_, target, type, status, afterCheck) => {
    expect(await upload(target, type)).toBe(status);
    expect(flushes).toEqual(['batch', ...afterCheck]);
  },
);

it('an upload of service_role runs triggers of the project before it receives content', async () => {
  await server.run(`create function refuse() returns trigger language plpgsql as 'begin raise ''refused''; end';
    create trigger refuse before insert on storage.objects for each row execute function refuse()`);
  try {
    expect(await upload('POST /object/b/new2.txt', 'text/plain')).toBe(500);
    expect(flushes).toEqual(['batch', 'writes and rollback', 'query']);
  } finally {
    await server.run('drop trigger refuse on storage.objects; drop function refuse');
  }
});
