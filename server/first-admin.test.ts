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
const linksOf = () => firstAdminLinks({ admin: database, ownerUrl: server.ownerUrl });
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
  const links = linksOf();
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
  const links = linksOf();
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
  await linksOf().claim(second, ADA);
  await backdate('2 days');
  expect(await createFirstAdminToken(database)).toBeUndefined();
});

it('requires the first account only if none exists, and only for a valid link', async () => {
  const links = linksOf();
  const token = await newToken();
  expect(await links.needsFirstAccount(token)).toBe(true);
  expect(await links.needsFirstAccount('another')).toBe(false);
  await addUser(ADA);
  expect(await links.needsFirstAccount(token)).toBe(false);
});

it('runs triggers and functions of the project with the rights of the owner of the database', async () => {
  await addUser(ADA);
  const owner = openDatabase({ url: server.ownerUrl, max: 1, applicationName: 'test' });
  for (const text of [
    'create table public.rights (role text)',
    `create function public.note_rights() returns trigger language plpgsql as $$
      begin insert into public.rights values (current_user); return new; end $$`,
    'create trigger note_rights after update on auth.users for each row execute function public.note_rights()',
    `create function public.refuse_superuser(int) returns int language plpgsql immutable as $$
      begin
        if (select rolsuper from pg_catalog.pg_roles where rolname = current_user) then
          raise exception 'runs as a superuser';
        end if;
        return 1;
      end $$`,
    'create statistics public.of_users on (public.refuse_superuser(1)), email from auth.users',
    'analyze auth.users',
  ])
    await owner.query({ text });
  await owner.close();
  const links = linksOf();
  const token = await newToken();
  expect(await links.needsFirstAccount(token)).toBe(false);
  expect(await links.claim(token, ADA)).toBe('claimed');
  expect(await database.query({ text: 'select role from public.rights' })).toEqual([{ role: 'postgres' }]);
});

it('keeps a link valid if the role could not be granted', async () => {
  await addUser(ADA);
  const links = linksOf();
  const token = await newToken();
  expect(await links.claim(token, BEN)).toBe('refused');
  await database.query({
    text: `create function public.refuse() returns trigger language plpgsql as $$
      begin raise exception 'no changes'; end $$`,
  });
  await database.query({
    text: 'create trigger refuse before update on auth.users for each row execute function public.refuse()',
  });
  await expect(links.claim(token, ADA)).rejects.toThrow('no changes');
  expect(await links.isOpen(token)).toBe(true);
  await database.query({ text: 'drop trigger refuse on auth.users' });
  expect(await links.claim(token, ADA)).toBe('claimed');
});
