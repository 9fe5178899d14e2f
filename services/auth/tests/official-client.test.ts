/** The official client against the service, over real sockets. */
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AuthServer, startAuthServer } from '../testing/auth-server.ts';
import { newEmail, newPhone, PASSWORD } from '../testing/people.ts';

let server: AuthServer;
const open: SupabaseClient[] = [];

beforeAll(async () => {
  server = await startAuthServer({ GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED: 'true' });
});
afterAll(async () => {
  for (const client of open) await client.auth.stopAutoRefresh();
  await server.close();
});

function newClient(key = 'anon'): SupabaseClient {
  const auth = { autoRefreshToken: false, persistSession: true, storage: memory() };
  const client = createClient(server.url.replace('/auth/v1', ''), key, { auth });
  open.push(client);
  return client;
}

function memory() {
  const items = new Map<string, string>();
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  };
}

async function signedUp(email = newEmail()): Promise<{ client: SupabaseClient; email: string }> {
  const client = newClient();
  const { error } = await client.auth.signUp({ email, password: PASSWORD });
  expect(error).toBeNull();
  return { client, email };
}

async function signedIn(email: string): Promise<SupabaseClient> {
  const client = newClient();
  const { error } = await client.auth.signInWithPassword({ email, password: PASSWORD });
  expect(error).toBeNull();
  return client;
}

describe('signing up and in', () => {
  it('returns a session, by email and by phone', async () => {
    for (const address of [{ email: newEmail() }, { phone: newPhone() }]) {
      const up = await newClient().auth.signUp({
        ...address,
        password: PASSWORD,
        options: { data: { name: 'Ann' } },
      });
      expect(up.error).toBeNull();
      expect(up.data.session?.user.id).toBe(up.data.user?.id);
      expect(up.data.user?.user_metadata).toMatchObject({ name: 'Ann' });
      const { data, error } = await newClient().auth.signInWithPassword({ ...address, password: PASSWORD });
      expect([error, data.user?.id]).toEqual([null, up.data.user?.id]);
    }
  });

  it('notifies listeners', async () => {
    const client = newClient();
    const events: string[] = [];
    client.auth.onAuthStateChange((event) => void events.push(event));
    await client.auth.signUp({ email: newEmail(), password: PASSWORD });
    await client.auth.refreshSession();
    await client.auth.updateUser({ data: { a: 1 } });
    await client.auth.signOut();
    expect(events.filter((event) => event !== 'INITIAL_SESSION')).toEqual([
      'SIGNED_IN',
      'TOKEN_REFRESHED',
      'USER_UPDATED',
      'SIGNED_OUT',
    ]);
  });

  it('returns errors with codes', async () => {
    const { email } = await signedUp();
    const client = newClient();
    const signUp = await client.auth.signUp({ email, password: PASSWORD });
    expect(signUp.error).toMatchObject({
      status: 422,
      code: 'user_already_exists',
      message: 'User already registered',
    });
    const wrong = await client.auth.signInWithPassword({ email, password: 'wrong horse' });
    expect(wrong.error).toMatchObject({
      status: 400,
      code: 'invalid_credentials',
      message: 'Invalid login credentials',
    });
    const weak = await client.auth.signUp({ email: newEmail(), password: 'x' });
    expect(weak.error).toMatchObject({
      name: 'AuthWeakPasswordError',
      code: 'weak_password',
      reasons: ['length'],
    });
    const otp = await client.auth.signInWithIdToken({ provider: 'google', token: 'x' });
    expect(otp.error).toMatchObject({ status: 400 });
  });

  it('is possible anonymously, and the account can become permanent', async () => {
    const client = newClient();
    const { data } = await client.auth.signInAnonymously({ options: { data: { colour: 'green' } } });
    expect(data.user).toMatchObject({ is_anonymous: true, user_metadata: { colour: 'green' } });
    const email = newEmail();
    const updated = await client.auth.updateUser({ email, password: PASSWORD });
    expect(updated.data.user).toMatchObject({ id: data.user?.id, email, is_anonymous: false });
    expect((await (await signedIn(email)).auth.getUser()).data.user?.id).toBe(data.user?.id);
  });
});

describe('a session', () => {
  it('is refreshed', async () => {
    const { client } = await signedUp();
    const before = (await client.auth.getSession()).data.session;
    const { data, error } = await client.auth.refreshSession();
    expect(error).toBeNull();
    expect(data.session?.refresh_token).not.toBe(before?.refresh_token);
    expect(data.user?.id).toBe(before?.user.id);
  });

  it('is refreshed by several tabs concurrently', async () => {
    const { client } = await signedUp();
    const session = (await client.auth.getSession()).data.session;
    const tabs = await Promise.all(
      Array.from({ length: 5 }, () =>
        newClient().auth.setSession({
          access_token: session?.access_token ?? '',
          refresh_token: session?.refresh_token ?? '',
        }),
      ),
    );
    const refreshed = await Promise.all(
      tabs.map(({ data }) =>
        newClient().auth.refreshSession({ refresh_token: data.session?.refresh_token ?? '' }),
      ),
    );
    expect(refreshed.map(({ error }) => error)).toEqual(tabs.map(() => null));
    expect(new Set(refreshed.map(({ data }) => data.session?.refresh_token)).size).toBe(1);
  });

  it('has a user and claims, which the client verifies with the published keys', async () => {
    const { client, email } = await signedUp();
    const user = await client.auth.getUser();
    expect(user.data.user).toMatchObject({ email, aud: 'authenticated', role: 'authenticated' });
    const { data, error } = await client.auth.getClaims();
    expect(error).toBeNull();
    expect(data?.claims).toMatchObject({ sub: user.data.user?.id, email, aal: 'aal1', is_anonymous: false });
    expect(data?.header).toMatchObject({ alg: 'ES256', kid: expect.any(String) });
    const level = await client.auth.mfa.getAuthenticatorAssuranceLevel();
    expect(level.data).toMatchObject({ currentLevel: 'aal1', nextLevel: 'aal1' });
  });

  it('updates its user', async () => {
    const { client, email } = await signedUp();
    const { data, error } = await client.auth.updateUser({ password: 'new horse', data: { hello: 'world' } });
    expect([error, data.user?.user_metadata.hello]).toEqual([null, 'world']);
    const same = await client.auth.updateUser({ password: 'new horse' });
    expect(same.error).toMatchObject({ status: 422, code: 'same_password' });
    const signIn = await newClient().auth.signInWithPassword({ email, password: 'new horse' });
    expect(signIn.error).toBeNull();
    expect((await client.auth.getUserIdentities()).data?.identities).toMatchObject([{ provider: 'email' }]);
  });

  it.each([
    ['global', [false, false]],
    ['local', [false, true]],
    ['others', [true, false]],
  ] as const)('is ended with scope %s', async (scope, [isFirstSignedIn, isSecondSignedIn]) => {
    const { client, email } = await signedUp();
    const other = await signedIn(email);
    expect((await client.auth.signOut({ scope })).error).toBeNull();
    expect((await client.auth.getUser()).data.user !== null).toBe(isFirstSignedIn);
    const { error } = await other.auth.refreshSession();
    expect(error?.code).toBe(isSecondSignedIn ? undefined : 'refresh_token_not_found');
    expect((await other.auth.getUser()).data.user !== null).toBe(isSecondSignedIn);
  });

  it('that has ended is reported as missing', async () => {
    const { client, email } = await signedUp();
    await (await signedIn(email)).auth.signOut({ scope: 'others' });
    expect((await client.auth.getUser()).error).toMatchObject({ name: 'AuthSessionMissingError' });
  });
});

describe('an admin', () => {
  it('lists users page by page', async () => {
    await signedUp();
    await signedUp();
    const admin = newClient(await server.keys.sign({ role: 'service_role' }));
    const first = await admin.auth.admin.listUsers({ page: 1, perPage: 1 });
    expect(first.error).toBeNull();
    expect(first.data).toMatchObject({
      users: [{ aud: 'authenticated' }],
      nextPage: 2,
      total: expect.any(Number),
    });
    const allUsers = await admin.auth.admin.listUsers();
    expect(allUsers.data).toMatchObject({ nextPage: null, lastPage: 1 });
    expect(allUsers.data.users.length).toBeGreaterThan(1);
  });

  it('signs a user out', async () => {
    const { client } = await signedUp();
    const admin = newClient(await server.keys.sign({ role: 'service_role' }));
    const token = (await client.auth.getSession()).data.session?.access_token ?? '';
    expect((await admin.auth.admin.signOut(token, 'global')).error).toBeNull();
    expect((await client.auth.getUser()).error).toMatchObject({ name: 'AuthSessionMissingError' });
  });

  it('must have a service key', async () => {
    const { client } = await signedUp();
    const { data } = await client.auth.getSession();
    const forgedClient = newClient(data.session?.access_token);
    expect((await forgedClient.auth.admin.listUsers()).error).toMatchObject({
      status: 403,
      code: 'not_admin',
    });
  });
});
