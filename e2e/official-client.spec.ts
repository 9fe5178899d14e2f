/** The unmodified official client against a running instance. */
import { expect, test } from '@playwright/test';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { baseUrl, readStatus } from './support/shared-instance.ts';

let keys: Record<string, string>;
let number = 0;

test.beforeAll(async () => {
  keys = await readStatus();
});

function newClient(key = keys.ANON_KEY ?? ''): SupabaseClient {
  return createClient(baseUrl(), key, { auth: { persistSession: false, autoRefreshToken: false } });
}

function newPerson() {
  number += 1;
  return { email: `client-${process.pid}-${number}-${Date.now()}@example.org`, password: 'correct horse' };
}

async function signUpUser() {
  const person = newPerson();
  const client = newClient();
  const { data, error } = await client.auth.signUp(person);
  expect(error).toBeNull();
  if (!data.session || !data.user) throw new Error('no session');
  return { client, person, session: data.session, user: data.user };
}

for (const kind of ['ANON_KEY', 'PUBLISHABLE_KEY']) {
  test(`signs up and in with the ${kind}`, async () => {
    const client = newClient(keys[kind]);
    const person = newPerson();
    const { data, error } = await client.auth.signUp({ ...person, options: { data: { name: 'Ada' } } });
    expect(error).toBeNull();
    expect(data.user).toMatchObject({
      email: person.email,
      role: 'authenticated',
      user_metadata: { name: 'Ada' },
    });
    const again = await client.auth.signInWithPassword(person);
    expect(again.data.user?.id).toBe(data.user?.id);
  });
}

test('verifies claims with the public key', async () => {
  const { client, user } = await signUpUser();
  const { data } = await client.auth.getClaims();
  expect(data?.claims).toMatchObject({
    sub: user.id,
    role: 'authenticated',
    aal: 'aal1',
    is_anonymous: false,
  });
  expect(data?.header.alg).toBe('ES256');
});

test('rotates the refresh token with each refresh', async () => {
  const { client, session } = await signUpUser();
  const first = await client.auth.refreshSession();
  const second = await client.auth.refreshSession();
  expect(second.error).toBeNull();
  expect(
    new Set([session.refresh_token, first.data.session?.refresh_token, second.data.session?.refresh_token])
      .size,
  ).toBe(3);
});

test('updates the user and emits each auth event', async () => {
  const { client, person } = await signUpUser();
  const events: string[] = [];
  client.auth.onAuthStateChange((event) => void events.push(event));
  const { data } = await client.auth.updateUser({ password: 'another horse', data: { color: 'green' } });
  expect(data.user?.user_metadata.color).toBe('green');
  await client.auth.refreshSession();
  await client.auth.signOut();
  expect((await client.auth.signInWithPassword(person)).error?.code).toBe('invalid_credentials');
  expect((await client.auth.signInWithPassword({ ...person, password: 'another horse' })).error).toBeNull();
  for (const event of ['INITIAL_SESSION', 'USER_UPDATED', 'TOKEN_REFRESHED', 'SIGNED_OUT', 'SIGNED_IN']) {
    expect(events).toContain(event);
  }
});

test('signs out with the scopes local, others and global', async () => {
  const { client: first, person } = await signUpUser();
  const second = newClient();
  await second.auth.signInWithPassword(person);
  await first.auth.signOut({ scope: 'others' });
  expect((await first.auth.getUser()).error).toBeNull();
  expect((await second.auth.getUser()).error?.name).toBe('AuthSessionMissingError');
  await second.auth.signInWithPassword(person);
  await second.auth.signOut({ scope: 'local' });
  expect((await first.auth.getUser()).error).toBeNull();
  await second.auth.signInWithPassword(person);
  await first.auth.signOut({ scope: 'global' });
  expect((await second.auth.refreshSession()).error?.status).toBe(400);
});

test('rejects with the error codes of the official service', async () => {
  const { client, person } = await signUpUser();
  expect((await client.auth.signUp(person)).error?.code).toBe('user_already_exists');
  expect((await client.auth.signInWithPassword({ ...person, password: 'wrong horse' })).error?.code).toBe(
    'invalid_credentials',
  );
  const weak = await client.auth.signUp({ ...newPerson(), password: '123' });
  expect(weak.error).toMatchObject({
    name: 'AuthWeakPasswordError',
    code: 'weak_password',
    reasons: ['length'],
  });
  expect((await newClient('sb_publishable_wrong').auth.signUp(newPerson())).error?.status).toBe(401);
});

test('lists users for the service role only', async () => {
  const { client, user } = await signUpUser();
  const admin = newClient(keys.SERVICE_ROLE_KEY);
  const { data } = await admin.auth.admin.listUsers({ page: 1, perPage: 1000 });
  expect(data.users.map((one) => one.id)).toContain(user.id);
  expect((await newClient(keys.SECRET_KEY).auth.admin.listUsers()).error).toBeNull();
  expect((await client.auth.admin.listUsers()).error).toMatchObject({ status: 403, code: 'not_admin' });
});

test('exchanges broadcast and presence in a channel and rejects a private one', async () => {
  const [ada, bob] = [await signUpUser(), await signUpUser()];
  const received: unknown[] = [];
  const names = [ada, bob].map(({ user }) => user.id).toSorted();
  const channels = [ada, bob].map(({ client, user }) =>
    client
      .channel('e2e', { config: { presence: { key: user.id } } })
      .on('presence', { event: 'sync' }, () => {})
      .on('broadcast', { event: 'hello' }, ({ payload }) => received.push(payload)),
  );
  for (const channel of channels) {
    await new Promise<void>((resolve, reject) =>
      channel.subscribe((status, error) => (status === 'SUBSCRIBED' ? resolve() : reject(error))),
    );
    expect(await channel.track({ at: 'home' })).toBe('ok');
  }
  await expect.poll(() => Object.keys(channels[0]?.presenceState() ?? {}).toSorted()).toEqual(names);
  await channels[0]?.send({ type: 'broadcast', event: 'hello', payload: { from: 'ada' } });
  await expect.poll(() => received).toEqual([{ from: 'ada' }]);
  const locked = ada.client.channel('locked', { config: { private: true } });
  const refusal = await new Promise((resolve) =>
    locked.subscribe((status, error) => resolve([status, error?.message])),
  );
  expect(refusal).toEqual([
    'CHANNEL_ERROR',
    expect.stringContaining('You do not have permissions to read from this Channel topic: locked'),
  ]);
  await Promise.all([ada, bob].map(({ client }) => client.removeAllChannels()));
});
