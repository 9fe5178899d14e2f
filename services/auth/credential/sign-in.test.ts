import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AuthServer, startAuthServer, waitForLock } from '../testing/auth-server.ts';
import { claimsOf, newEmail, newPhone, PASSWORD, type Person, signUpPerson } from '../testing/people.ts';
import { play, type Scenario, send } from '../testing/scenario.ts';

const PATH = '/token?grant_type=password';

let server: AuthServer;
let ann: Person;
const others: AuthServer[] = [];

beforeAll(async () => {
  server = await startAuthServer();
  ann = await signUpPerson(server);
});
afterAll(async () => {
  for (const other of others) await other.close();
  await server.close();
});

function signIn(body: object, at: AuthServer = server, headers: Record<string, string> = {}) {
  return send(at, { method: 'POST', path: PATH, body, headers });
}

async function startAnother(env: Record<string, string>): Promise<AuthServer> {
  const other = await startAuthServer(env, server);
  others.push(other);
  return other;
}

const change = (set: string, id: string) =>
  server.database.admin.query({ text: `update auth.users set ${set} where id = $1`, values: [id] });

describe('with the right password', () => {
  it('opens a new session each time', async () => {
    const response = await signIn({ email: ann.email, password: PASSWORD });
    expect(response.status).toBe(200);
    const claims = claimsOf(response.json.access_token);
    expect(claims).toMatchObject({ sub: ann.id, aal: 'aal1', amr: [{ method: 'password' }] });
    expect(claims.session_id).not.toBe(ann.sessionId);
    expect(response.json.user).toMatchObject({
      id: ann.id,
      email: ann.email,
      identities: [{ provider: 'email' }],
    });
    expect(response.json).not.toHaveProperty('weak_password');
    expect(response.headers.get('sb-auth-session-id')).toBe(claims.session_id);
  });

  it('stores address and user agent of the session', async () => {
    const { json } = await signIn({ email: ann.email, password: PASSWORD }, server, {
      'user-agent': 'A browser',
    });
    const [row] = await server.database.admin.query({
      text: 'select user_agent, host(ip) as ip, aal, refreshed_at, refresh_token_hmac_key from auth.sessions where id = $1',
      values: [claimsOf(json.access_token).session_id],
    });
    expect(row).toEqual({
      user_agent: 'A browser',
      ip: '127.0.0.1',
      aal: 'aal1',
      refreshed_at: null,
      refresh_token_hmac_key: expect.stringMatching(/^[\w-]{43}$/),
    });
  });

  it('updates the time of the last sign-in in response and database', async () => {
    await change("last_sign_in_at = '2020-01-01'", ann.id);
    const { json } = await signIn({ email: ann.email, password: PASSWORD });
    const [row] = await server.database.admin.query<{ last_sign_in_at: Date }>({
      text: 'select last_sign_in_at from auth.users where id = $1',
      values: [ann.id],
    });
    expect(row?.last_sign_in_at).toEqual(new Date(json.user.last_sign_in_at));
    expect(json.user.last_sign_in_at).not.toMatch(/^2020/);
  });

  it('ignores the case of the address, and plus sign and blanks of a number', async () => {
    const phone = newPhone();
    await send(server, { method: 'POST', path: '/signup', body: { phone, password: PASSWORD } });
    const spelled = `+${phone.slice(0, 3)} ${phone.slice(3)}`;
    const responses = [{ email: ann.email.toUpperCase() }, { phone: spelled }].map((by) =>
      signIn({ ...by, password: PASSWORD }),
    );
    expect((await Promise.all(responses)).map(({ status }) => status)).toEqual([200, 200]);
  });

  it('reports a password that is weak under the current rules', async () => {
    const strict = await startAnother({ GOTRUE_PASSWORD_MIN_LENGTH: '20' });
    const { status, json } = await signIn({ email: ann.email, password: PASSWORD }, strict);
    expect([status, json.weak_password]).toEqual([
      200,
      { message: 'Password should be at least 20 characters.', reasons: ['length'] },
    ]);
  });

  it('writes no audit entry if the audit log is disabled', async () => {
    const count = async () =>
      (await server.database.admin.query({ text: 'select from auth.audit_log_entries' })).length;
    const before = await count();
    const unaudited = await startAnother({ GOTRUE_AUDIT_LOG_DISABLE_POSTGRES: 'true' });
    expect((await signIn({ email: ann.email, password: PASSWORD }, unaudited)).status).toBe(200);
    expect(await count()).toBe(before);
    await signIn({ email: ann.email, password: PASSWORD });
    expect(await count()).toBe(before + 1);
  });
});

describe('indistinguishable errors', () => {
  const wrongs = [
    ['an unknown address', async () => ({ email: newEmail(), password: PASSWORD })],
    ['an unknown number', async () => ({ phone: newPhone(), password: PASSWORD })],
    ['a wrong password', async () => ({ email: ann.email, password: 'wrong horse' })],
    ['an empty password', async () => ({ email: ann.email, password: '' })],
    ['a missing password', async () => ({ email: ann.email })],
    ['the password in another case', async () => ({ email: ann.email, password: PASSWORD.toUpperCase() })],
    [
      'a password with additional characters',
      async () => ({ email: ann.email, password: `${PASSWORD}${'x'.repeat(80)}` }),
    ],
    [
      'the right password in another audience',
      async () => ({ email: ann.email, password: PASSWORD, aud: 'elsewhere' }),
    ],
    ['an invalid address', async () => ({ email: "' or 1=1 --", password: PASSWORD })],
    ['a very long address', async () => ({ email: 'x'.repeat(60_000), password: PASSWORD })],
    [
      'an account without a password',
      async () => {
        const { email, id } = await signUpPerson(server);
        await change('encrypted_password = null', id);
        return { email, password: PASSWORD };
      },
    ],
    [
      'a banned account and a wrong password',
      async () => {
        const { email, id } = await signUpPerson(server);
        await change("banned_until = now() + interval '1 day'", id);
        return { email, password: 'wrong horse' };
      },
    ],
    [
      'an unconfirmed account and a wrong password',
      async () => {
        const { email, id } = await signUpPerson(server);
        await change('email_confirmed_at = null', id);
        return { email, password: 'wrong horse' };
      },
    ],
    [
      'an SSO account',
      async () => {
        const { email, id } = await signUpPerson(server);
        await change('is_sso_user = true', id);
        return { email, password: PASSWORD };
      },
    ],
  ] as const;

  it.each(wrongs)('are returned for %s', async (_, credentials) => {
    const { aud, ...body }: { aud?: string } & object = await credentials();
    const response = await signIn(body, server, aud === undefined ? {} : { 'x-jwt-aud': aud });
    expect([response.status, response.text, response.headers.get('x-sb-error-code')]).toEqual([
      400,
      '{"code":400,"error_code":"invalid_credentials","msg":"Invalid login credentials"}',
      'invalid_credentials',
    ]);
  });
});

describe('rejections of a sign-in', () => {
  const post = (name: string, body: object, status: number, code: string, message = ''): Scenario => {
    const contains = [`"error_code":"${code}"`, message];
    return { name, method: 'POST', path: PATH, body, status, contains, lacks: ['access_token'] };
  };
  const email = 'a@b.co';
  const phone = '15550100';

  it.each([
    post('a missing address', { password: PASSWORD }, 400, 'validation_failed', 'missing email or phone'),
    post(
      'two addresses',
      { email, phone, password: PASSWORD },
      400,
      'validation_failed',
      'Only an email address or',
    ),
    post('NUL', { email: 'a\0', password: PASSWORD }, 400, 'validation_failed'),
    post('a number for a password', { email, password: 1 }, 400, 'bad_json'),
    { ...post('a missing grant', {}, 400, 'invalid_credentials', 'unsupported_grant_type'), path: '/token' },
    {
      ...post('an unknown grant', {}, 400, 'invalid_credentials', 'unsupported_grant_type'),
      path: '/token?grant_type=x',
    },
    {
      ...post('the grant client_credentials', {}, 400, 'invalid_credentials', 'unsupported_grant_type'),
      path: '/token?grant_type=client_credentials',
    },
    {
      ...post('an audience that is too long', { email }, 400, 'validation_failed'),
      headers: { 'x-jwt-aud': 'x'.repeat(256) },
    },
  ])('are returned for $name', async (scenario) => {
    await play(server, scenario);
  });

  it.each([
    ['a banned account', "banned_until = now() + interval '1 day'", 400, 'user_banned', 'User is banned'],
    [
      'an unconfirmed address',
      'email_confirmed_at = null',
      400,
      'email_not_confirmed',
      'Email not confirmed',
    ],
  ])('rejects %s only after the right password', async (_, set, status, code, msg) => {
    const { email, id } = await signUpPerson(server);
    await change(set, id);
    expect(await signIn({ email, password: PASSWORD })).toMatchObject({
      status,
      json: { error_code: code, msg },
    });
  });

  it('rejects an unconfirmed number only after the right password', async () => {
    const phone = newPhone();
    const { json } = await send(server, {
      method: 'POST',
      path: '/signup',
      body: { phone, password: PASSWORD },
    });
    await change('phone_confirmed_at = null', json.user.id);
    const response = await signIn({ phone, password: PASSWORD });
    expect(response).toMatchObject({ status: 400, json: { error_code: 'phone_not_confirmed' } });
  });

  it.each([
    [
      'email',
      { GOTRUE_EXTERNAL_EMAIL_ENABLED: 'false' },
      { email },
      'email_provider_disabled',
      'Email logins are disabled',
    ],
    [
      'phone',
      { GOTRUE_EXTERNAL_PHONE_ENABLED: 'false' },
      { phone },
      'phone_provider_disabled',
      'Phone logins are disabled',
    ],
  ])('rejects a sign-in by %s if it is disabled', async (_, env, by, code, msg) => {
    const response = await signIn({ ...by, password: PASSWORD }, await startAnother(env));
    expect(response).toMatchObject({ status: 422, json: { error_code: code, msg } });
  });

  it('opens no session if the password changes during the check', async () => {
    const { email, id } = await signUpPerson(server);
    const response = await server.database.admin.transaction(async (tx) => {
      await tx.query({
        text: "update auth.users set encrypted_password = 'new' where id = $1",
        values: [id],
      });
      const signingIn = signIn({ email, password: PASSWORD });
      await waitForLock(server);
      await tx.commit();
      return signingIn;
    });
    expect(response).toMatchObject({ status: 400, json: { error_code: 'invalid_credentials' } });
    const sessions = await server.database.admin.query({
      text: 'select from auth.sessions where user_id = $1',
      values: [id],
    });
    expect(sessions).toHaveLength(1);
  });
});

describe('many wrong guesses', () => {
  const guess = async (remoteAddress: string, password = 'wrong horse') => {
    const payload = JSON.stringify({ email: ann.email, password });
    const url = `/auth/v1${PATH}`;
    const { statusCode } = await server.fastify.inject({ method: 'POST', url, payload, remoteAddress });
    return statusCode;
  };

  it('are limited per client address, including a right one afterwards', async () => {
    const statuses = await Promise.all(Array.from({ length: 35 }, () => guess('203.0.113.7')));
    expect(statuses.sort()).toEqual([
      ...Array.from({ length: 30 }, () => 400),
      ...Array.from({ length: 5 }, () => 429),
    ]);
    expect(await guess('203.0.113.7', PASSWORD)).toBe(429);
    expect(await guess('203.0.113.8', PASSWORD)).toBe(200);
  });

  it('are not limited on the loopback', async () => {
    // Sequential, because each request needs a core, and the last one would time out.
    const statuses = new Set<number>();
    for (let attempt = 0; attempt < 35; attempt += 1) statuses.add(await guess('127.0.0.1'));
    expect(statuses).toEqual(new Set([400]));
  });
});
