/** The official client's `auth.admin`. */
import { randomUUID } from 'node:crypto';
import { createClient, type GoTrueAdminApi } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addFactor, serviceOf } from '../testing/admin.ts';
import { type AuthServer, startAuthServer } from '../testing/auth-server.ts';
import { newEmail, newPhone, PASSWORD, signInPerson, signUpPerson } from '../testing/people.ts';
import { send } from '../testing/scenario.ts';

let server: AuthServer;
let admin: GoTrueAdminApi;
beforeAll(async () => {
  server = await startAuthServer();
  const { key } = await serviceOf(server);
  const options = { auth: { persistSession: false, autoRefreshToken: false } };
  admin = createClient(server.url.replace('/auth/v1', ''), key, options).auth.admin;
});
afterAll(() => server.close());

const create = async (fields: object = {}) => {
  const { data, error } = await admin.createUser({ email: newEmail(), password: PASSWORD, ...fields });
  expect(error).toBeNull();
  return data.user ?? expect.fail('no user');
};

describe('createUser', () => {
  it('accepts all attributes', async () => {
    const [id, phone] = [randomUUID(), newPhone()];
    const user = await create({
      id,
      phone,
      email_confirm: true,
      phone_confirm: true,
      role: 'editor',
      user_metadata: { name: 'Ann' },
      app_metadata: { team: 'blue' },
    });
    expect(user).toMatchObject({
      id,
      phone,
      role: 'editor',
      email_confirmed_at: expect.any(String),
      user_metadata: { name: 'Ann' },
      app_metadata: { provider: 'email', providers: ['email', 'phone'], team: 'blue' },
    });
  });

  it('reports errors', async () => {
    const { email = '' } = await create();
    const created = await admin.createUser({ email });
    expect([created.error?.status, created.error?.code]).toEqual([422, 'email_exists']);
    const empty = await admin.createUser({});
    expect([empty.error?.status, empty.error?.code]).toEqual([400, 'validation_failed']);
  });
});

describe('listUsers', () => {
  it('reads the page numbers from the headers', async () => {
    for (let index = 0; index < 3; index++) await create();
    const first = await admin.listUsers({ page: 1, perPage: 2 });
    expect(first.error).toBeNull();
    expect(first.data.users).toHaveLength(2);
    expect(first.data).toMatchObject({ aud: 'authenticated', nextPage: 2 });
    const all = await admin.listUsers();
    expect((all.data as { total: number }).total).toBe(all.data.users.length);
  });
});

describe('getUserById', () => {
  it('finds a user or reports an unknown id', async () => {
    const user = await create();
    expect((await admin.getUserById(user.id)).data.user).toMatchObject({ id: user.id, email: user.email });
    const missing = await admin.getUserById(randomUUID());
    expect([missing.error?.status, missing.error?.code]).toEqual([404, 'user_not_found']);
  });
});

describe('updateUserById', () => {
  it('changes and bans a user', async () => {
    const user = await create({ email_confirm: true });
    const email = newEmail();
    const changed = await admin.updateUserById(user.id, {
      email,
      user_metadata: { a: 1 },
      ban_duration: '1h',
    });
    expect(changed.data.user).toMatchObject({ email, user_metadata: { a: 1 } });
    const body = { email, password: PASSWORD };
    const signIn = () => send(server, { method: 'POST', path: '/token?grant_type=password', body });
    expect((await signIn()).json.error_code).toBe('user_banned');
    expect((await admin.updateUserById(user.id, { ban_duration: 'none' })).error).toBeNull();
    expect((await signIn()).status).toBe(200);
  });
});

describe('deleteUser', () => {
  it('deletes or soft-deletes a user', async () => {
    const [hard, soft] = [await create(), await create()];
    expect((await admin.deleteUser(hard.id)).error).toBeNull();
    expect((await admin.getUserById(hard.id)).error?.code).toBe('user_not_found');
    expect((await admin.deleteUser(soft.id, true)).error).toBeNull();
    const { data } = await admin.getUserById(soft.id);
    expect(data.user).toMatchObject({ deleted_at: expect.any(String), user_metadata: {}, app_metadata: {} });
    expect(data.user?.email).not.toContain('@');
  });
});

describe('mfa', () => {
  it('lists and deletes factors', async () => {
    const user = await create();
    const id = await addFactor(server, user.id);
    const { data } = await admin.mfa.listFactors({ userId: user.id });
    expect(data?.factors).toMatchObject([{ id, factor_type: 'totp', status: 'verified' }]);
    expect((await admin.mfa.deleteFactor({ userId: user.id, id })).error).toBeNull();
    expect((await admin.mfa.listFactors({ userId: user.id })).data?.factors).toEqual([]);
  });
});

describe('signOut', () => {
  it.each([
    ['local', 403, 200],
    ['others', 200, 403],
    ['global', 403, 403],
  ] as const)('ends the sessions of scope %s', async (scope, own, other) => {
    const ann = await signUpPerson(server);
    const otherSession = await signInPerson(server, ann.email);
    expect((await admin.signOut(ann.accessToken, scope)).error).toBeNull();
    const status = async (bearer: string) => (await send(server, { path: '/user', bearer })).status;
    expect([await status(ann.accessToken), await status(otherSession.accessToken)]).toEqual([own, other]);
  });
});
