import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AuthServer, startAuthServer } from '../testing/auth-server.ts';
import { claimsOf, newEmail, newPhone, PASSWORD, signUpPerson } from '../testing/people.ts';
import { authRequest } from '../testing/request.ts';
import { play, type Scenario, send } from '../testing/scenario.ts';
import { createPasswordHasher, QUICK_COST } from './password/hash.ts';

let server: AuthServer;
const others: AuthServer[] = [];

beforeAll(async () => {
  server = await startAuthServer();
});
afterAll(async () => {
  for (const other of others) await other.close();
  await server.close();
});

async function startAnother(env: Record<string, string>): Promise<AuthServer> {
  const other = await startAuthServer(env, server);
  others.push(other);
  return other;
}

function signUp(body: object, at: AuthServer = server, headers: Record<string, string> = {}) {
  return send(at, { method: 'POST', path: '/signup', body, headers });
}

async function actionsOf(userId: string): Promise<unknown[]> {
  const rows = await server.database.admin.query({
    text: `select payload from auth.audit_log_entries where payload ->> 'actor_id' = $1
      order by created_at, payload ->> 'log_type' desc`,
    values: [userId],
  });
  return rows.map((row) => row.payload);
}

/** Inserts a user row without the service. */
async function insertUser(fields: {
  email: string;
  password: string;
  confirmed?: 'email' | 'phone';
}): Promise<string> {
  const id = randomUUID();
  await server.database.admin.query({
    text: `insert into auth.users (instance_id, id, aud, role, email, encrypted_password, created_at, updated_at,
        email_confirmed_at, phone_confirmed_at, raw_app_meta_data, raw_user_meta_data)
      values ('00000000-0000-0000-0000-000000000000', $1, 'authenticated', 'authenticated', $2, $3, now(), now(),
        case when $4 = 'email' then now() end, case when $4 = 'phone' then now() end, '{"role": "admin"}', '{"a": 1}')`,
    values: [
      id,
      fields.email,
      await createPasswordHasher({ cost: QUICK_COST }).hash(fields.password, authRequest()),
      fields.confirmed ?? '',
    ],
  });
  return id;
}

describe('by email address', () => {
  it('returns a session and a confirmed user', async () => {
    const email = newEmail();
    const before = Math.floor(Date.now() / 1000);
    const { status, headers, json } = await signUp({
      email: email.toUpperCase(),
      password: PASSWORD,
      data: { a: 1 },
    });
    expect(status).toBe(200);
    const { id } = json.user;
    const sessionId = claimsOf(json.access_token).session_id;
    expect(json).toEqual({
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      token_type: 'bearer',
      expires_in: 3600,
      expires_at: expect.toSatisfy((at: number) => at >= before + 3600 && at <= before + 3660),
      refresh_token: expect.stringMatching(/^[a-z0-9]{12}$/),
      user: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        aud: 'authenticated',
        role: 'authenticated',
        email,
        phone: '',
        email_confirmed_at: expect.stringMatching(/Z$/),
        confirmed_at: json.user.email_confirmed_at,
        last_sign_in_at: expect.stringMatching(/Z$/),
        app_metadata: { provider: 'email', providers: ['email'] },
        user_metadata: { a: 1, sub: id, email, email_verified: true, phone_verified: false },
        identities: [
          {
            identity_id: expect.not.stringContaining(id),
            id,
            user_id: id,
            identity_data: { a: 1, sub: id, email, email_verified: false, phone_verified: false },
            provider: 'email',
            last_sign_in_at: expect.stringMatching(/Z$/),
            created_at: expect.stringMatching(/Z$/),
            updated_at: expect.stringMatching(/Z$/),
            email,
          },
        ],
        created_at: expect.stringMatching(/Z$/),
        updated_at: expect.stringMatching(/Z$/),
        is_anonymous: false,
      },
    });
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'no-store',
      'sb-auth-user-id': id,
      'sb-auth-session-id': sessionId,
      'sb-auth-refresh-token-prefix': json.refresh_token.slice(0, 5),
    });
  });

  it('signs a token with exactly the documented claims', async () => {
    const email = newEmail();
    const { json } = await signUp({ email, password: PASSWORD });
    const { id } = json.user;
    const claims = await server.keys.verify(json.access_token);
    expect(claims).toEqual({
      iss: 'http://127.0.0.1:54321/auth/v1',
      sub: id,
      aud: 'authenticated',
      exp: json.expires_at,
      iat: json.expires_at - 3600,
      email,
      phone: '',
      app_metadata: json.user.app_metadata,
      user_metadata: json.user.user_metadata,
      role: 'authenticated',
      aal: 'aal1',
      amr: [{ method: 'password', timestamp: expect.any(Number) }],
      session_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      is_anonymous: false,
    });
  });

  it('stores password and refresh token only as hashes', async () => {
    const { json } = await signUp({ email: newEmail(), password: PASSWORD });
    const [row] = await server.database.admin.query({
      text: `select u.encrypted_password, t.token, t.parent from auth.users u
        join auth.refresh_tokens t on t.user_id = u.id::text where u.id = $1`,
      values: [json.user.id],
    });
    expect(row).toEqual({
      encrypted_password: expect.stringMatching(/^\$2a\$/),
      token: expect.stringMatching(/^[0-9a-f]{64}$/),
      parent: '',
    });
  });

  it('writes audit entries of sign-up and login', async () => {
    const { json } = await signUp({ email: newEmail(), password: PASSWORD, data: { full_name: 'Ann' } });
    const actor = {
      actor_id: json.user.id,
      actor_username: json.user.email,
      actor_name: 'Ann',
      actor_via_sso: false,
    };
    expect(await actionsOf(json.user.id)).toEqual([
      { ...actor, action: 'user_signedup', log_type: 'team', traits: { provider: 'email' } },
      { ...actor, action: 'login', log_type: 'account', traits: { provider: 'email' } },
    ]);
  });

  it('cannot claim an address that is submitted along with a phone number', async () => {
    const email = newEmail();
    const data = { email, name: 'Ann' };
    const { json } = await signUp({ phone: newPhone(), password: PASSWORD, data });
    expect(json.user.user_metadata).toMatchObject(data);
    expect(json.user.identities[0]).not.toHaveProperty('email');
    const owner = await signUp({ email, password: PASSWORD });
    expect([owner.status, owner.json.user.id === json.user.id]).toEqual([200, false]);
  });

  it('ignores submitted data about the verification', async () => {
    const data = { sub: 'me', email: 'x@y.z', email_verified: true, phone_verified: true };
    const { json } = await signUp({ email: newEmail(), password: PASSWORD, data });
    const { id, email } = json.user;
    expect(json.user.identities[0].identity_data).toEqual({
      sub: id,
      email,
      email_verified: false,
      phone_verified: false,
    });
  });

  it('separates audiences, but not their addresses', async () => {
    const headers = { 'x-jwt-aud': 'elsewhere' };
    const { json } = await signUp({ email: newEmail(), password: PASSWORD }, server, headers);
    expect([json.user.aud, claimsOf(json.access_token).aud]).toEqual(['elsewhere', 'elsewhere']);
    const credentials = { email: json.user.email, password: PASSWORD };
    expect(await signUp(credentials)).toMatchObject({
      status: 422,
      json: { error_code: 'user_already_exists' },
    });
  });
});

describe('by phone number', () => {
  it('returns a session and a confirmed user', async () => {
    const phone = newPhone();
    const { json } = await signUp({ phone: `+${phone}`, password: PASSWORD, channel: 'sms' });
    expect(json.user).toMatchObject({
      email: '',
      phone,
      phone_confirmed_at: expect.any(String),
      app_metadata: { provider: 'phone', providers: ['phone'] },
      identities: [{ provider: 'phone', id: json.user.id, identity_data: { sub: json.user.id, phone } }],
    });
    expect(claimsOf(json.access_token)).toMatchObject({ email: '', phone });
    expect(await actionsOf(json.user.id)).toMatchObject([
      { action: 'user_signedup', actor_username: phone, traits: { provider: 'phone', channel: 'sms' } },
      { action: 'login', traits: { provider: 'phone' } },
    ]);
  });
});

describe('anonymously', () => {
  it('returns a session if enabled', async () => {
    const open = await startAnother({ GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED: 'true' });
    const { status, json } = await signUp({ data: { colour: 'green' } }, open);
    expect(status).toBe(200);
    expect(json.user).toMatchObject({
      email: '',
      phone: '',
      is_anonymous: true,
      app_metadata: {},
      user_metadata: { colour: 'green' },
      identities: [],
    });
    expect(json.user).not.toHaveProperty('confirmed_at');
    expect(claimsOf(json.access_token)).toMatchObject({ is_anonymous: true, amr: [{ method: 'anonymous' }] });
  });

  it('is rejected if sign-ups are disabled', async () => {
    const closed = await startAnother({
      GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED: 'true',
      GOTRUE_DISABLE_SIGNUP: 'true',
    });
    expect(await signUp({}, closed)).toMatchObject({ status: 422, json: { error_code: 'signup_disabled' } });
  });
});

describe('a taken address', () => {
  it('is rejected in any case and writes an audit entry', async () => {
    const { email, id } = await signUpPerson(server);
    await play(server, {
      name: '',
      method: 'POST',
      path: '/signup',
      body: { email: email.toUpperCase(), password: 'another password' },
      status: 422,
      contains: ['"error_code":"user_already_exists"', '"msg":"User already registered"'],
    });
    expect(await actionsOf(id)).toContainEqual(expect.objectContaining({ action: 'user_repeated_signup' }));
  });

  it('of an unconfirmed account signs in to it with its password', async () => {
    const email = newEmail();
    const id = await insertUser({ email, password: PASSWORD });
    const { status, json } = await signUp({ email, password: PASSWORD, data: { a: 2 } });
    expect([status, json.user.id]).toEqual([200, id]);
    expect(json.user).toMatchObject({
      email_confirmed_at: expect.any(String),
      app_metadata: { role: 'admin' },
      user_metadata: { a: 1, email_verified: true },
    });
  });

  it.each([
    ['for another password', {}, 'another password'],
    ['while its user signs in by phone', { confirmed: 'phone' as const }, PASSWORD],
  ])('of an unconfirmed account is rejected %s', async (_, fields, password) => {
    const email = newEmail();
    await insertUser({ email, password: PASSWORD, ...fields });
    expect(await signUp({ email, password })).toMatchObject({
      status: 422,
      json: { error_code: 'user_already_exists' },
    });
  });

  it('of a user of an external provider is rejected', async () => {
    const { id } = await signUpPerson(server);
    const email = newEmail();
    await server.database.admin.query({
      text: `insert into auth.identities (provider_id, user_id, identity_data, provider, created_at)
        values ($1, $2, jsonb_build_object('email', $3::text), 'google', now())`,
      values: [randomUUID(), id, email],
    });
    expect(await signUp({ email, password: PASSWORD })).toMatchObject({ status: 422 });
  });

  it('goes to one of several concurrent sign-ups', async () => {
    for (const identifier of [{ email: newEmail() }, { phone: newPhone() }]) {
      const body = { ...identifier, password: PASSWORD };
      const responses = await Promise.all(Array.from({ length: 20 }, () => signUp(body)));
      const statuses = responses.map(({ status }) => status).sort();
      expect(statuses).toEqual([200, ...Array.from({ length: 19 }, () => 422)]);
      const users = await server.database.admin.query({
        text: 'select id from auth.users where email = $1 or phone = $1',
        values: Object.values(identifier),
      });
      expect(users).toHaveLength(1);
    }
  });
});

describe('triggers on auth.users', () => {
  const spoil = (body: string, when: string) =>
    server.database.admin.batch([
      {
        text: `create function public.on_user() returns trigger language plpgsql security definer as $$ ${body} $$`,
      },
      {
        text: `create trigger on_user ${when} insert on auth.users for each row execute function public.on_user()`,
      },
    ]);
  const undo = () => server.database.admin.query({ text: 'drop function public.on_user cascade' });

  it.each([
    [
      'before',
      'begin new.raw_app_meta_data := new.raw_app_meta_data || \'{"plan": "pro"}\'; return new; end',
    ],
    [
      'after',
      `begin update auth.users set raw_app_meta_data = raw_app_meta_data || '{"plan": "pro"}' where id = new.id;
        return new; end`,
    ],
  ])('may change a new user %s the insert, and the token has the change', async (when, body) => {
    await spoil(body, when);
    const { json } = await signUp({ email: newEmail(), password: PASSWORD });
    await undo();
    const metadata = { plan: 'pro', provider: 'email', providers: ['email'] };
    expect([json.user.app_metadata, claimsOf(json.access_token).app_metadata]).toEqual([metadata, metadata]);
  });

  it('may reject a user, with their message for clients of the older API version', async () => {
    await spoil(`begin raise exception 'not from there' using hint = 'move'; end`, 'before');
    const email = newEmail();
    const older = await signUp({ email, password: PASSWORD });
    const newer = await signUp({ email, password: PASSWORD }, server, {
      'x-supabase-api-version': '2024-01-01',
    });
    await undo();
    expect(older).toMatchObject({
      status: 500,
      json: { code: 'P0001', message: 'not from there', hint: 'move' },
    });
    const body = { code: 'unexpected_failure', message: 'Database error saving new user' };
    expect(newer).toMatchObject({ status: 500, json: body });
    const rows = await server.database.admin.query({
      text: 'select from auth.users where email = $1',
      values: [email],
    });
    expect(rows).toEqual([]);
  });
});

describe('rejections of a sign-up', () => {
  const post = (name: string, body: object, status: number, code: string, message: string): Scenario => {
    const contains = [`"code":${status}`, `"error_code":"${code}"`, message];
    return {
      name,
      method: 'POST',
      path: '/signup',
      body,
      status,
      contains,
      lacks: ['access_token', 'error_id'],
    };
  };
  const email = 'somebody@example.org';
  const phone = '15550100';
  const password = PASSWORD;

  it.each([
    post('an empty object', {}, 422, 'anonymous_provider_disabled', 'Anonymous sign-ins are disabled'),
    post('null addresses', { email: null, phone: null }, 422, 'anonymous_provider_disabled', ''),
    post('a missing password', { email }, 400, 'validation_failed', 'Signup requires a valid password'),
    post(
      'an empty password',
      { email, password: '' },
      400,
      'validation_failed',
      'Signup requires a valid password',
    ),
    post(
      'a short password',
      { email, password: '12345' },
      422,
      'weak_password',
      '"weak_password":{"reasons":["length"]}',
    ),
    post(
      'a password that is too long',
      { email, password: 'x'.repeat(73) },
      400,
      'validation_failed',
      'longer than 72 characters',
    ),
    post(
      'email and phone',
      { email, phone, password },
      400,
      'validation_failed',
      'Only an email address or phone number',
    ),
    post(
      'an invalid address',
      { email: 'x@', password },
      400,
      'validation_failed',
      'Unable to validate email address',
    ),
    post(
      'an address that is too long',
      { email: `a@${'b'.repeat(300)}`, password },
      400,
      'validation_failed',
      'is too long',
    ),
    post('an invalid number', { phone: '555-01', password }, 400, 'validation_failed', 'E.164 required'),
    post(
      'an unsupported channel',
      { phone, password, channel: 'whatsapp' },
      400,
      'validation_failed',
      'Invalid channel',
    ),
    post(
      'incomplete PKCE parameters',
      { email, password, code_challenge: 'x' },
      400,
      'validation_failed',
      'PKCE flow requires',
    ),
    post(
      'PKCE for a phone number',
      { phone, password, code_challenge: 'x' },
      400,
      'validation_failed',
      'PKCE not supported',
    ),
    post(
      'metadata that are too large',
      { email, password, data: { x: 'x'.repeat(32_768) } },
      400,
      'validation_failed',
      'User metadata',
    ),
    post('NUL', { email: 'a\0@b.co', password }, 400, 'validation_failed', 'NUL'),
    post('a number for an address', { email: 1, password }, 400, 'bad_json', 'email has the wrong type'),
    post('a text for data', { email, password, data: 'x' }, 400, 'bad_json', 'data has the wrong type'),
  ])('are returned for $name', async (scenario) => {
    await play(server, scenario);
  });

  it.each([
    [
      'sign-ups',
      { GOTRUE_DISABLE_SIGNUP: 'true' },
      post('', { email, password }, 422, 'signup_disabled', ''),
    ],
    [
      'email sign-ups',
      { GOTRUE_EXTERNAL_EMAIL_ENABLED: 'false' },
      post('', { email, password }, 400, 'email_provider_disabled', 'Email signups are disabled'),
    ],
    [
      'phone sign-ups',
      { GOTRUE_EXTERNAL_PHONE_ENABLED: 'false' },
      post('', { phone, password }, 400, 'phone_provider_disabled', 'Phone signups are disabled'),
    ],
    [
      'passwords without digits',
      { GOTRUE_PASSWORD_REQUIRED_CHARACTERS: '0123456789' },
      post('', { email, password }, 422, 'weak_password', '"reasons":["characters"]'),
    ],
  ])('rejects %s if they are disabled', async (_, env, scenario) => {
    await play(await startAnother(env), scenario);
  });

  it('reports a weak password in the newer shape, too', async () => {
    const headers = { 'x-supabase-api-version': '2024-01-01' };
    const { json, headers: answered } = await signUp({ email, password: 'x' }, server, headers);
    expect(json).toEqual({
      code: 'weak_password',
      message: 'Password should be at least 6 characters.',
      weak_password: { reasons: ['length'] },
    });
    expect(answered.get('x-supabase-api-version')).toBe('2024-01-01');
  });

  it('limits by the configured header', async () => {
    const limited = await startAnother({ GOTRUE_RATE_LIMIT_HEADER: 'x-real-ip' });
    const attempt = () => signUp({ email, password: '' }, limited, { 'x-real-ip': '203.0.113.7' });
    const statuses = [];
    for (let index = 0; index < 31; index += 1) statuses.push((await attempt()).status);
    expect(statuses).toEqual([...Array.from({ length: 30 }, () => 400), 429]);
  });
});
