/**
 * The calls of the app's specification, section 7, as the official client makes them, on a whole instance: each reaches
 * the service at its address and has the specified effect.
 */
import { type AuthError, FunctionsHttpError, type SupabaseClient } from '@supabase/supabase-js';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type OfficialInstance, PASSWORD, startOfficialInstance } from './testing/official-instance.ts';

let instance: OfficialInstance;

beforeAll(async () => {
  instance = await startOfficialInstance({
    GOTRUE_SECURITY_MANUAL_LINKING_ENABLED: 'true',
    GOTRUE_EXTERNAL_GOOGLE_ENABLED: 'true',
    GOTRUE_EXTERNAL_GOOGLE_CLIENT_ID: 'greenroom',
    GOTRUE_EXTERNAL_GOOGLE_SECRET: 'secret',
  });
  const { database } = instance;
  await database.query({ text: 'create table public.counted (id int primary key, a int)' });
  await database.query({ text: 'grant all on public.counted to service_role' });
  await database.query({
    text: 'create function public.add(a int, b int) returns int language sql as $$ select a + b $$',
  });
  await database.query({ text: `notify pgrst, 'reload schema'` });
});
afterAll(() => instance.close());
beforeEach(() => {
  instance.calls = [];
});

const expectCall = (line: string | RegExp) =>
  expect(instance.calls.map((call) => call.line)).toContainEqual(
    typeof line === 'string' ? line : expect.stringMatching(line),
  );

describe('authentication on a whole instance', () => {
  it('every call carries the API key and a bearer token, which is the key itself without a session', async () => {
    const { client, session } = await instance.signedIn();
    const anon = instance.greenroom.backend?.apiKeys.anon;
    await client.auth.getUser();
    await client.from('notes').select();
    for (const { apikey, authorization } of instance.calls) {
      expect([apikey, authorization]).toEqual([anon, `Bearer ${session.access_token}`]);
    }
    instance.calls = [];
    await instance.newClient().from('notes').select();
    expect(instance.calls[0]).toMatchObject({ apikey: anon, authorization: `Bearer ${anon}` });
  });

  it('POST /signup accepts an email or a phone, a password, and data', async () => {
    const { email, phone } = instance.newPerson();
    const byEmail = await instance.newClient().auth.signUp({
      email,
      password: PASSWORD,
      options: { data: { name: 'Ann' } },
    });
    expect(byEmail.data.user).toMatchObject({ email, user_metadata: { name: 'Ann' } });
    const byPhone = await instance.newClient().auth.signUp({ phone, password: PASSWORD });
    expect(byPhone.data.user?.phone).toBe(phone);
    expect(instance.calls.map(({ line }) => line)).toEqual(['POST /auth/v1/signup', 'POST /auth/v1/signup']);
  });

  it('a session has its tokens, its lifetime, its type and its user', async () => {
    const { session } = await instance.signedIn();
    expect(session).toMatchObject({
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      refresh_token: expect.stringMatching(/^\S{12,}$/),
      expires_in: 3600,
      token_type: 'bearer',
      user: { role: 'authenticated' },
    });
    const remaining = (session.expires_at ?? 0) - Date.now() / 1000;
    expect(remaining).toBeGreaterThan(3500);
    expect(remaining).toBeLessThan(3700);
  });

  it('POST /token accepts a password, a refresh token, an ID token and a code', async () => {
    const { client, email, session } = await instance.signedIn();
    const other = instance.newClient();
    const { data } = await other.auth.signInWithPassword({ email, password: PASSWORD });
    expect(data.user?.email).toBe(email);
    expectCall('POST /auth/v1/token?grant_type=password');
    const refreshed = await client.auth.refreshSession();
    expect(refreshed.data.session?.refresh_token).not.toBe(session.refresh_token);
    expectCall('POST /auth/v1/token?grant_type=refresh_token');
    const byToken = await other.auth.signInWithIdToken({ provider: 'google', token: 'none' });
    expect(byToken.error?.status).toBe(400);
    expectCall('POST /auth/v1/token?grant_type=id_token');
    const storage = {
      getItem: (key: string) => (key.endsWith('code-verifier') ? '"verifier"' : null),
      setItem: () => {},
      removeItem: () => {},
    };
    const pkce = instance.newClient(undefined, { auth: { flowType: 'pkce', persistSession: true, storage } });
    const byCode = await pkce.auth.exchangeCodeForSession('5b4b7e3c-0000-4000-8000-000000000000');
    expect(byCode.error?.code).toBe('flow_state_not_found');
    expectCall('POST /auth/v1/token?grant_type=pkce');
  });

  it('POST /otp sends a code, with which POST /verify signs in', async () => {
    const { email } = instance.newPerson();
    const client = instance.newClient();
    expect((await client.auth.signInWithOtp({ email })).error).toBeNull();
    expectCall('POST /auth/v1/otp');
    const { data, error } = await client.auth.verifyOtp({
      email,
      token: await instance.codeTo(email),
      type: 'email',
    });
    expect([error, data.user?.email]).toEqual([null, email]);
    expectCall('POST /auth/v1/verify');
  });

  it('POST /sso responds that it is disabled', async () => {
    const { error } = await instance.newClient().auth.signInWithSSO({ domain: 'example.org' });
    expect(error?.code).toBe('saml_provider_disabled');
    expectCall('POST /auth/v1/sso');
  });

  it('POST /recover and POST /resend accept an address', async () => {
    const { client, email } = await instance.signedIn();
    expect((await client.auth.resetPasswordForEmail(email)).error).toBeNull();
    expect(await instance.codeTo(email)).toMatch(/^\d{6}$/);
    expectCall('POST /auth/v1/recover');
    expect((await client.auth.resend({ type: 'signup', email })).error).toBeNull();
    expectCall('POST /auth/v1/resend');
    expect((await client.auth.resend({ type: 'signup' } as never)).error?.message).toMatch(/email|phone/);
  });

  it('GET /reauthenticate sends a code to the caller', async () => {
    const { client, email } = await instance.signedIn();
    expect((await client.auth.reauthenticate()).error).toBeNull();
    expect(await instance.codeTo(email)).toMatch(/^\d{6}$/);
    expectCall('GET /auth/v1/reauthenticate');
  });

  it('GET /user returns identities and factors, PUT /user accepts attributes', async () => {
    const { client, email, id } = await instance.signedIn();
    await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'App' });
    const { data } = await client.auth.getUser();
    expect(data.user).toMatchObject({
      id,
      identities: [{ provider: 'email', identity_data: { email } }],
      factors: [{ factor_type: 'totp', status: 'unverified', friendly_name: 'App' }],
    });
    expectCall('GET /auth/v1/user');
    const changed = await client.auth.updateUser({ data: { name: 'Ben' } });
    expect(changed.data.user?.user_metadata.name).toBe('Ben');
    expectCall('PUT /auth/v1/user');
  });

  it('POST /logout ends the sessions of its scope', async () => {
    const { email } = await instance.signedIn();
    for (const scope of ['local', 'others', 'global'] as const) {
      const [first, second] = [instance.newClient(), instance.newClient()];
      for (const client of [first, second])
        await client.auth.signInWithPassword({ email, password: PASSWORD });
      const { data: firstSession } = await first.auth.getSession();
      expect((await first.auth.signOut({ scope })).error).toBeNull();
      expectCall(`POST /auth/v1/logout?scope=${scope}`);
      const isFirstSignedIn =
        (await instance.newClient().auth.getUser(firstSession.session?.access_token)).error === null;
      const isSecondSignedIn = (await second.auth.getUser()).error === null;
      expect([scope, isFirstSignedIn, isSecondSignedIn]).toEqual([
        scope,
        scope === 'others',
        scope === 'local',
      ]);
    }
  });

  it('GET /authorize and GET /user/identities/authorize redirect to the provider', async () => {
    const { client } = await instance.signedIn();
    const options = { skipBrowserRedirect: true };
    const signIn = await client.auth.signInWithOAuth({ provider: 'google', options });
    expect(signIn.data.url).toMatch(/\/auth\/v1\/authorize\?provider=google/);
    const response = await fetch(signIn.data.url ?? '', { redirect: 'manual' });
    expect(response.headers.get('location')).toMatch(/^https:\/\/accounts\.google\.com\//);
    const link = await client.auth.linkIdentity({ provider: 'google', options });
    expect(link.data.url).toMatch(/^https:\/\/accounts\.google\.com\//);
    expectCall(/^GET \/auth\/v1\/user\/identities\/authorize\?provider=google/);
  });

  it('DELETE /user/identities/{id} removes an identity', async () => {
    const { client } = await instance.signedIn();
    await client.auth.updateUser({ phone: instance.newPerson().phone });
    const { data } = await client.auth.getUserIdentities();
    const phone = data?.identities.find(({ provider }) => provider === 'phone');
    if (!phone) throw new Error('no identity of the number');
    expect((await client.auth.unlinkIdentity(phone)).error).toBeNull();
    expectCall(`DELETE /auth/v1/user/identities/${phone.identity_id}`);
    expect((await client.auth.getUserIdentities()).data?.identities).toHaveLength(1);
  });

  it('POST /factors, its challenge and its verification raise a session to aal2, DELETE lowers it', async () => {
    const { client } = await instance.signedIn();
    const { data: factor } = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'App' });
    const factorId = factor?.id ?? '';
    expectCall('POST /auth/v1/factors');
    const { data: challenge } = await client.auth.mfa.challenge({ factorId });
    expectCall(`POST /auth/v1/factors/${factorId}/challenge`);
    const code = new TOTP({ secret: Secret.fromBase32(factor?.totp.secret ?? '') }).generate();
    const { error } = await client.auth.mfa.verify({ factorId, challengeId: challenge?.id ?? '', code });
    expect(error).toBeNull();
    expectCall(`POST /auth/v1/factors/${factorId}/verify`);
    expect((await client.auth.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({
      currentLevel: 'aal2',
      nextLevel: 'aal2',
    });
    expect((await client.auth.mfa.listFactors()).data?.totp).toMatchObject([
      { id: factorId, factor_type: 'totp', status: 'verified', friendly_name: 'App' },
    ]);
    expect((await client.auth.mfa.unenroll({ factorId })).error).toBeNull();
    expectCall(`DELETE /auth/v1/factors/${factorId}`);
  });

  it('GET /.well-known/jwks.json returns the key with which the client verifies a token', async () => {
    const { client, id } = await instance.signedIn();
    expect((await client.auth.getClaims()).data?.claims.sub).toBe(id);
    expectCall('GET /auth/v1/.well-known/jwks.json');
  });

  it('/admin/users, /admin/generate_link and POST /invite require the service key', async () => {
    const { admin } = instance.service().auth;
    const { email } = instance.newPerson();
    const { data: created } = await admin.createUser({ email, password: PASSWORD });
    const id = created.user?.id ?? '';
    expect((await admin.listUsers()).data.users.map((user) => user.id)).toContain(id);
    expect((await admin.getUserById(id)).data.user?.email).toBe(email);
    const { data: changed } = await admin.updateUserById(id, { app_metadata: { role: 'admin' } });
    expect(changed.user?.app_metadata.role).toBe('admin');
    const link = await admin.generateLink({ type: 'magiclink', email });
    expect(link.data.properties?.action_link).toContain('/auth/v1/verify?token=');
    const invited = instance.newPerson().email;
    expect((await admin.inviteUserByEmail(invited)).data.user?.email).toBe(invited);
    expect((await admin.deleteUser(id)).error).toBeNull();
    const lines = instance.calls.map(({ line }) => line);
    for (const line of [
      'POST /auth/v1/admin/users',
      `GET /auth/v1/admin/users/${id}`,
      `PUT /auth/v1/admin/users/${id}`,
      'POST /auth/v1/admin/generate_link',
      'POST /auth/v1/invite',
      `DELETE /auth/v1/admin/users/${id}`,
    ]) {
      expect(lines).toContain(line);
    }
    expect((await instance.newClient().auth.admin.listUsers()).error?.status).toBeGreaterThanOrEqual(401);
  });
});

describe('calls with invalid arguments', () => {
  const call = (path: string, body: object) =>
    fetch(`${instance.greenroom.url}/auth/v1${path}`, {
      method: 'POST',
      headers: {
        apikey: instance.greenroom.backend?.apiKeys.anon ?? '',
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    });
  const PASSWORD_MESSAGE = 'You must provide either an email or phone number and a password';
  const CODE_MESSAGE = 'You must provide either an email or phone number.';

  it.each<[string, (client: SupabaseClient) => Promise<{ error: AuthError | null }>, string, string, object]>(
    [
      [
        'sign-up',
        ({ auth }) => auth.signUp({ password: PASSWORD } as never),
        PASSWORD_MESSAGE,
        '/signup',
        { password: PASSWORD },
      ],
      [
        'sign-in',
        ({ auth }) => auth.signInWithPassword({ password: PASSWORD } as never),
        PASSWORD_MESSAGE,
        '/token?grant_type=password',
        { password: PASSWORD },
      ],
      ['one-time code', ({ auth }) => auth.signInWithOtp({} as never), CODE_MESSAGE, '/otp', {}],
    ],
  )(
    '%s without an address is rejected by the client and by the server',
    async (_, invoke, message, path, body) => {
      expect((await invoke(instance.newClient())).error?.message).toBe(message);
      expect(instance.calls).toEqual([]);
      const response = await call(path, body);
      expect([response.status, await response.json()]).toMatchObject([
        expect.toSatisfy((status: number) => status === 400 || status === 422),
        { error_code: expect.stringMatching(/^(validation_failed|anonymous_provider_disabled)$/) },
      ]);
    },
  );

  it('a call of an administrator with an id that is not a UUID is rejected by the client and by the server', async () => {
    await expect(instance.service().auth.admin.getUserById('1')).rejects.toThrow('UUID');
    expect(instance.calls).toEqual([]);
    const key = instance.greenroom.backend?.apiKeys.serviceRole ?? '';
    const response = await fetch(`${instance.greenroom.url}/auth/v1/admin/users/1`, {
      headers: { apikey: key, authorization: `Bearer ${key}` },
    });
    expect([response.status, await response.json()]).toMatchObject([
      404,
      { error_code: 'validation_failed' },
    ]);
  });
});

describe('the other services on a whole instance', () => {
  it('/rest/v1 selects, inserts, upserts, updates, deletes, and calls functions', async () => {
    const client = instance.service();
    const rows = () => client.from('counted');
    // The schema is reloaded soon after it has changed.
    await expect.poll(async () => (await rows().select()).error).toBeNull();
    expect((await rows().insert({ id: 1, a: 1 }).select()).data).toEqual([{ id: 1, a: 1 }]);
    expect((await rows().upsert({ id: 1, a: 2 }).select()).data).toEqual([{ id: 1, a: 2 }]);
    expect((await rows().update({ a: 3 }).eq('id', 1).select()).data).toEqual([{ id: 1, a: 3 }]);
    expect((await client.rpc('add', { a: 1, b: 2 })).data).toBe(3);
    expect((await rows().delete().eq('id', 1).select()).data).toEqual([{ id: 1, a: 3 }]);
    expectCall('POST /rest/v1/rpc/add');
    expectCall(/^PATCH \/rest\/v1\/counted\?id=eq\.1/);
    expectCall(/^DELETE \/rest\/v1\/counted\?id=eq\.1/);
  });

  it('/realtime/v1 joins and leaves channels', async () => {
    const { client } = await instance.signedIn();
    const channel = client.channel('room');
    expect(channel.state).toBe('closed');
    const joined = new Promise((resolve) => channel.subscribe(resolve));
    expect(channel.state).toBe('joining');
    expect(await joined).toBe('SUBSCRIBED');
    expect(channel.state).toBe('joined');
    expect(await channel.unsubscribe()).toBe('ok');
    expect(channel.state).toBe('closed');
    await client.realtime.disconnect();
  });

  it('a bucket has an id, a name, a flag for public access, a size limit and types', async () => {
    const { storage } = instance.service();
    await storage.createBucket('limited', {
      public: true,
      fileSizeLimit: 1024,
      allowedMimeTypes: ['text/plain'],
    });
    expect((await storage.getBucket('limited')).data).toMatchObject({
      id: 'limited',
      name: 'limited',
      public: true,
      file_size_limit: 1024,
      allowed_mime_types: ['text/plain'],
    });
    expect((await storage.updateBucket('limited', { public: false })).error).toBeNull();
    expect((await storage.listBuckets()).data?.find(({ id }) => id === 'limited')?.public).toBe(false);
    await storage.from('limited').upload('f.txt', new Blob(['text'], { type: 'text/plain' }));
    expect((await storage.deleteBucket('limited')).error?.message).toMatch(/not empty/);
    expect((await storage.emptyBucket('limited')).error).toBeNull();
    await expect.poll(async () => (await storage.deleteBucket('limited')).error).toBeNull();
    for (const line of [
      'POST /storage/v1/bucket',
      'PUT /storage/v1/bucket/limited',
      'POST /storage/v1/bucket/limited/empty',
      'DELETE /storage/v1/bucket/limited',
    ]) {
      expectCall(line);
    }
  });

  it('objects are uploaded, downloaded, moved, copied, signed, listed and removed', async () => {
    const { storage } = instance.service();
    await storage.createBucket('objects');
    const objects = storage.from('objects');
    expect((await objects.upload('b.txt', 'text')).error).toBeNull();
    expect(await (await objects.download('b.txt')).data?.text()).toBe('text');
    expect((await objects.move('b.txt', 'c.txt')).error).toBeNull();
    expect((await objects.copy('c.txt', 'a.txt')).error).toBeNull();
    const { data: signed } = await objects.createSignedUrl('a.txt', 60);
    expect(await (await fetch(signed?.signedUrl ?? '')).text()).toBe('text');
    expect((await objects.list()).data?.map(({ name }) => name)).toEqual(['a.txt', 'c.txt']);
    expect((await objects.remove(['a.txt', 'c.txt'])).data).toHaveLength(2);
    expect((await objects.list()).data).toEqual([]);
    for (const line of [
      'POST /storage/v1/object/objects/b.txt',
      'GET /storage/v1/object/objects/b.txt',
      'POST /storage/v1/object/move',
      'POST /storage/v1/object/copy',
      'POST /storage/v1/object/sign/objects/a.txt',
      'POST /storage/v1/object/list/objects',
      'DELETE /storage/v1/object/objects',
    ]) {
      expectCall(line);
    }
  });

  it('a list contains the first 100 objects by name, unless other options are given', async () => {
    const { storage } = instance.service();
    await storage.createBucket('many');
    const names = Array.from({ length: 103 }, (_, index) => `${String(index).padStart(3, '0')}.txt`);
    await instance.database.query({
      text: `insert into storage.objects (bucket_id, name, metadata)
             select 'many', name, '{}' from unnest($1::text[]) as name`,
      values: [names.toReversed()],
    });
    const listed = async (options?: Parameters<ReturnType<typeof storage.from>['list']>[1]) =>
      (await storage.from('many').list(undefined, options)).data?.map(({ name }) => name);
    expect(await listed()).toEqual(names.slice(0, 100));
    expect(await listed({ offset: 100 })).toEqual(names.slice(100));
    expect(await listed({ limit: 2, sortBy: { column: 'name', order: 'desc' } })).toEqual([
      '102.txt',
      '101.txt',
    ]);
  });

  it('a function is invoked by POST, and a missing function is an HTTP error', async () => {
    const { error } = await instance.newClient().functions.invoke('hello');
    expect(error).toBeInstanceOf(FunctionsHttpError);
    expectCall('POST /functions/v1/hello');
  });
});
