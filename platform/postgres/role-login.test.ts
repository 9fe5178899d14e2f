import { createTestDatabase, type TestDatabase } from '@greenroom/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureRoleLogins, openDatabase, roleUrl } from './index.ts';

const secret = 'one-secret-of-at-least-32-characters';
const role = 'test_login';
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  await database.admin.query({ text: `drop role if exists ${role}` });
  await database.admin.query({ text: `create role ${role} nologin` });
});
afterAll(async () => {
  await database.admin.query({ text: `drop role ${role}` });
  await database.drop();
});

async function loginRole(withSecret: string): Promise<unknown> {
  const login = openDatabase({
    url: roleUrl(database.url, role, withSecret),
    max: 1,
    applicationName: 'test',
  });
  const [row] = await login.query({ text: 'select current_user as who' }).finally(() => login.close());
  return row?.who;
}

const storedPassword = async () =>
  (await database.admin.query({ text: `select rolpassword from pg_authid where rolname = '${role}'` }))[0]
    ?.rolpassword;

describe('ensureRoleLogins', () => {
  it('permits a role to log in, and stores only a SCRAM verifier', async () => {
    await ensureRoleLogins([role], { adminUrl: database.url, secret, isNew: false });
    expect(await loginRole(secret)).toBe(role);
    expect(await storedPassword()).toMatch(/^SCRAM-SHA-256\$4096:/);
  });

  it('logs in as the role although the URL names another one in its parameters', async () => {
    const { username, password } = new URL(database.url);
    const adminUrl = new URL(database.url);
    adminUrl.search = `?user=${username}&password=${password}`;
    const login = openDatabase({
      url: roleUrl(adminUrl.href, role, secret),
      max: 1,
      applicationName: 'test',
    });
    const rows = await login.query({ text: 'select current_user as who' }).finally(() => login.close());
    expect(rows).toEqual([{ who: role }]);
  });

  it('changes nothing while the password is valid', async () => {
    const before = await storedPassword();
    await ensureRoleLogins([role], { adminUrl: database.url, secret, isNew: false });
    expect(await storedPassword()).toBe(before);
  });

  it('changes the password with the secret', async () => {
    const other = 'another-secret-of-at-least-32-characters';
    await ensureRoleLogins([role], { adminUrl: database.url, secret: other, isNew: false });
    expect(await loginRole(other)).toBe(role);
    await expect(loginRole(secret)).rejects.toMatchObject({ code: '28P01' });
  });

  it('permits a role to log in again that may no longer', async () => {
    await database.admin.query({ text: `alter role ${role} nologin` });
    await ensureRoleLogins([role], { adminUrl: database.url, secret, isNew: false });
    expect(await loginRole(secret)).toBe(role);
  });

  it('replaces a password whose format is another one', async () => {
    await database.run(`set local password_encryption = 'md5'; alter role ${role} password 'x'`);
    await ensureRoleLogins([role], { adminUrl: database.url, secret, isNew: false });
    expect(await loginRole(secret)).toBe(role);
  });

  it('logs in as each role if the administrator may not read stored passwords', async () => {
    const admin = 'test_role_admin';
    const password = 'secret of an administrator';
    await database.admin.query({ text: `create role ${admin} createrole login password '${password}'` });
    await database.admin.query({ text: `grant ${role} to ${admin} with admin option` });
    try {
      const adminUrl = new URL(database.url);
      adminUrl.username = admin;
      adminUrl.password = password;
      const options = { adminUrl: adminUrl.href, isNew: false };
      const before = await storedPassword();
      await ensureRoleLogins([role], { ...options, secret });
      expect(await storedPassword()).toBe(before);
      const other = 'another-secret-of-at-least-32-characters';
      await ensureRoleLogins([role], { ...options, secret: other });
      expect(await loginRole(other)).toBe(role);
    } finally {
      await database.admin.query({ text: `drop role ${admin}` });
    }
  });
});
