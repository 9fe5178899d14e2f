/** Tokens of OAuth applications have no access to the tables and files of the demo. On a real database, with its policies. */
import { createTestDatabase, type TestDatabase } from '@greenroom/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setUpDemo } from './testing/demo.ts';

const ADA = '11111111-1111-4111-8111-111111111111';
const APPLICATION = { client_id: '22222222-2222-4222-8222-222222222222', scope: 'openid email' };
const FILE = 'insert into storage.objects (bucket_id, name, owner_id) values';
const MESSAGE = 'insert into realtime.messages (topic, extension) values';

let database: TestDatabase;
let policiesBefore: Row[];
beforeAll(async () => {
  database = await createTestDatabase();
  policiesBefore = await policies();
  await setUpDemo(database.url);
  await run('insert into auth.users (id) values ($1)', ADA);
});
afterAll(() => database.drop());

type Row = Record<string, unknown>;

function run(text: string, ...values: unknown[]): Promise<Row[]> {
  return database.admin.query({ text, values });
}

const policies = () =>
  run(`select schemaname, tablename, policyname, permissive, qual, with_check from pg_policies
    where schemaname not in ('pg_catalog', 'auth', 'greenroom') order by 1, 2, 3`);

/** Runs one statement with the token of a user's own session, or of an application, on the topic of the board. */
async function as(client: object, text: string): Promise<Row[]> {
  const claims = JSON.stringify({ sub: ADA, role: 'authenticated', ...client });
  const settings = {
    text: `select set_config('role', 'authenticated', true), set_config('request.jwt.claims', $1, true),
      set_config('realtime.topic', 'board', true)`,
    values: [claims],
  };
  const [, rows = []] = await database.admin.batch([settings, { text }]);
  return rows;
}

describe('the token of an application', () => {
  it.each([
    ['adds a note', "insert into notes (text) values ('x')"],
    ['adds a file', `${FILE} ('files', '${ADA}/x', '${ADA}')`],
    ['sends a broadcast to the board', `${MESSAGE} ('board', 'broadcast')`],
    ['announces presence on the board', `${MESSAGE} ('board', 'presence')`],
  ])('is rejected where the token of a session %s', async (_, insert) => {
    await expect(as(APPLICATION, insert)).rejects.toMatchObject({ code: '42501' });
    await expect(as({}, insert)).resolves.toEqual([]);
  });

  it.each([
    ['sees a note', 'select from notes'],
    ['changes a note', "update notes set text = 'y' returning 1"],
    ['sees a file', "select from storage.objects where bucket_id = 'files'"],
    ['changes a file', "update storage.objects set updated_at = now() where bucket_id = 'files' returning 1"],
    ['receives messages of the board', "select from realtime.messages where topic = 'board'"],
    ['deletes a note', 'delete from notes returning 1'],
  ])('finds no rows where the token of a session %s', async (_, text) => {
    expect(await as(APPLICATION, text)).toEqual([]);
    expect(await as({}, text)).not.toEqual([]);
  });
});

it('no policy of the demo grants access to applications', async () => {
  const known = new Set(policiesBefore.map(({ policyname }) => policyname));
  const own = (await policies()).filter(({ policyname }) => !known.has(policyname));
  const restricted = own.filter(({ permissive }) => permissive === 'RESTRICTIVE').map((row) => row.tablename);
  const open = own.filter(
    ({ tablename, qual, with_check }) =>
      !restricted.includes(tablename) &&
      ![qual, with_check].every((text) => text === null || String(text).includes('client_id')),
  );
  expect([own.length, open]).toEqual([11, []]);
});
