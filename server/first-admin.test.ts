import { type Database, openDatabase } from '@greenroom/postgres';
import { createTestDatabase, type TestDatabase } from '@greenroom/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createFirstAdminToken, firstAdminLinks } from './first-admin.ts';

const ADA = '00000000-0000-4000-8000-000000000001';
const BEN = '00000000-0000-4000-8000-000000000002';

let server: TestDatabase;
let database: Database;

beforeEach(async () => {
  server = await createTestDatabase();
  database = openDatabase({ url: server.url, max: 2, applicationName: 'test' });
});
afterEach(async () => {
  await database.close();
  await server.drop();
});

const addUser = (id: string) =>
  database.query({
    text: 'insert into auth.users (id, email) values ($1, $2)',
    values: [id, `${id}@example.org`],
  });
const backdate = (interval: string) =>
  database.query({
    text: 'update greenroom.first_admin_links set created_at = created_at - $1::interval',
    values: [interval],
  });
const newToken = async (force = false) => (await createFirstAdminToken(database, force)) ?? '';
const rolesOf = async () => {
  const rows = await database.query<{ role: string | null }>({
    text: `select raw_app_meta_data->>'role' as role from auth.users order by id`,
  });
  return rows.map(({ role }) => role);
};

it('makes the first user with a valid link an administrator, and no other', async () => {
  await addUser(ADA);
  await addUser(BEN);
  const links = firstAdminLinks(database);
  const token = await newToken();
  await backdate('59 minutes');
  expect(await links.isOpen(token)).toBe(true);
  expect(await links.claim(token, ADA)).toBe('claimed');
  expect(await links.claim(token, BEN)).toBe('refused');
  expect(await links.isOpen(token)).toBe(false);
  expect(await rolesOf()).toEqual(['admin', null]);
});

it('rejects a link that is older than an hour', async () => {
  await addUser(ADA);
  const links = firstAdminLinks(database);
  const token = await newToken();
  await backdate('61 minutes');
  expect(await links.isOpen(token)).toBe(false);
  expect(await links.claim(token, ADA)).toBe('refused');
  expect(await rolesOf()).toEqual([null]);
});

it('creates another link at a start if the last one has expired unused, and on request at any time', async () => {
  const first = await newToken();
  expect(await createFirstAdminToken(database)).toBeUndefined();
  expect(await newToken(true)).not.toBe('');
  await backdate('61 minutes');
  const second = await newToken();
  expect(second).not.toBe(first);
  await addUser(ADA);
  await firstAdminLinks(database).claim(second, ADA);
  await backdate('2 days');
  expect(await createFirstAdminToken(database)).toBeUndefined();
});

it('requires the first account only if none exists, and only for a valid link', async () => {
  const links = firstAdminLinks(database);
  const token = await newToken();
  expect(await links.needsFirstAccount(token)).toBe(true);
  expect(await links.needsFirstAccount('another')).toBe(false);
  await addUser(ADA);
  expect(await links.needsFirstAccount(token)).toBe(false);
});
