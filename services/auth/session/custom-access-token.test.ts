/** The access token hook, for each way in which a token is issued. */
import { createHash } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type AuthServer, startAuthServer } from '../testing/auth-server.ts';
import { createFunction, functionEnv } from '../testing/hook-function.ts';
import { type HookServer, startHookServer } from '../testing/hook-server.ts';
import { latestTo, openLink } from '../testing/mailbox.ts';
import { claimsOf, newEmail, PASSWORD, refresh, signInPerson, signUpPerson } from '../testing/people.ts';
import { send, type TestResponse } from '../testing/scenario.ts';

const ENV = {
  GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED: 'true',
  GOTRUE_SECURITY_REFRESH_TOKEN_REUSE_INTERVAL: '0',
};
const PASS = `begin return jsonb_build_object('claims', event -> 'claims'); end`;
/** Writes, then rejects. */
const REFUSE = `begin
  insert into public.noted values (event ->> 'authentication_method');
  return '{"error": {"http_code": 403, "message": "Not today"}}';
end`;

let hooks: HookServer;
let sql: AuthServer;
let http: AuthServer;
beforeAll(async () => {
  hooks = await startHookServer();
  sql = await startAuthServer({ ...ENV, ...functionEnv('CUSTOM_ACCESS_TOKEN', 'claims') });
  http = await startAuthServer({ ...ENV, ...hooks.env('CUSTOM_ACCESS_TOKEN') }, sql);
  await sql.database.admin.query({ text: 'create table public.noted (what text)' });
  await sql.database.admin.query({ text: 'grant all on public.noted to supabase_auth_admin' });
});
afterAll(async () => {
  await http.close();
  await sql.close();
  await hooks.close();
});
beforeEach(async () => {
  await createFunction(sql, 'claims', PASS);
  hooks.calls.length = 0;
  hooks.reply = ({ body }) => ({ body: { claims: body.claims } });
});

const post = (server: AuthServer, path: string, body: object, bearer?: string) =>
  send(server, { method: 'POST', path, body, bearer });
const signIn = (server: AuthServer, email: string) =>
  post(server, '/token?grant_type=password', { email, password: PASSWORD });

/** Counts the rows that sign-ins write. */
async function counts() {
  const [row] = await sql.database.admin.query({
    text: `select (select count(*)::int from auth.users) as users, (select count(*)::int from auth.sessions) as sessions,
      (select count(*)::int from auth.refresh_tokens) as tokens,
      (select count(*)::int from auth.refresh_tokens where revoked) as spent,
      (select count(*)::int from auth.audit_log_entries) as audited,
      (select count(*)::int from auth.one_time_tokens) as codes,
      (select count(*)::int from auth.flow_state) as flows`,
  });
  return row;
}

/** Sends a code to a user with an account and returns it. */
async function codeFor(email: string, challenge = {}): Promise<{ code: string; link: string | null }> {
  const sent = await post(sql, '/otp', { email, ...challenge });
  expect(sent.status, sent.text).toBe(200);
  return latestTo(sql, email);
}

const VERIFIER = 'a'.repeat(50);
const CHALLENGE = {
  code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
  code_challenge_method: 's256',
};

/** Way to get a token → prepares it and returns the request. */
const FLOWS: Record<string, () => Promise<(server: AuthServer) => Promise<TestResponse>>> = {
  'a password': async () => {
    const { email } = await signUpPerson(sql);
    return (server) => signIn(server, email);
  },
  'a sign-up': async () => (server) => post(server, '/signup', { email: newEmail(), password: PASSWORD }),
  'an anonymous sign-up': async () => (server) => post(server, '/signup', {}),
  'a refresh': async () => {
    const { refreshToken } = await signUpPerson(sql);
    return (server) => refresh(server, refreshToken);
  },
  'a code': async () => {
    const { email } = await signUpPerson(sql);
    const { code } = await codeFor(email);
    return (server) => post(server, '/verify', { type: 'email', email, token: code });
  },
  'a flow': async () => {
    const { email } = await signUpPerson(sql);
    const { link } = await codeFor(email, CHALLENGE);
    const { query } = await openLink(sql, link ?? '');
    const body = { auth_code: query.code, code_verifier: VERIFIER };
    return (server) => post(server, '/token?grant_type=pkce', body);
  },
  'a second factor': async () => {
    const { accessToken } = await signUpPerson(sql);
    const { json: factor } = await post(sql, '/factors', { factor_type: 'totp' }, accessToken);
    const { json: challenge } = await post(sql, `/factors/${factor.id}/challenge`, {}, accessToken);
    const code = new TOTP({ secret: Secret.fromBase32(factor.totp.secret) }).generate();
    const body = { challenge_id: challenge.id, code };
    return (server) => post(server, `/factors/${factor.id}/verify`, body, accessToken);
  },
};

const METHODS: Record<string, string> = {
  'a password': 'password',
  'a sign-up': 'password',
  'an anonymous sign-up': 'anonymous',
  'a refresh': 'token_refresh',
  'a code': 'otp',
  'a flow': 'magiclink',
  'a second factor': 'totp',
};

describe.each(Object.entries(FLOWS))('a token by %s', (flow, prepare) => {
  it('has the claims of a database function', async () => {
    await createFunction(
      sql,
      'claims',
      `declare claims jsonb := event -> 'claims'; begin
        claims := claims || jsonb_build_object('method', event ->> 'authentication_method', 'tenant', 7,
          'is_known', exists (select from auth.users where id = (event ->> 'user_id')::uuid));
        return jsonb_build_object('claims', claims - 'app_metadata');
      end`,
    );
    const request = await prepare();
    const { status, json, text } = await request(sql);
    expect(status, text).toBe(200);
    const claims = claimsOf(json.access_token);
    expect(claims).toMatchObject({ method: METHODS[flow], tenant: 7, is_known: true, sub: json.user.id });
    expect(claims).not.toHaveProperty('app_metadata');
    expect(await sql.keys.verify(json.access_token)).toEqual(claims);
    const seen = await send(sql, { path: '/user', bearer: json.access_token });
    expect(seen.status).toBe(200);
  });

  it('has the claims of an HTTP endpoint', async () => {
    hooks.reply = ({ body }) => ({ body: { claims: { ...body.claims, tenant: 8 } } });
    const request = await prepare();
    const { status, json, text } = await request(http);
    expect(status, text).toBe(200);
    expect(claimsOf(json.access_token).tenant).toBe(8);
    expect(hooks.calls).toHaveLength(1);
    expect(hooks.calls[0]?.body).toMatchObject({
      user_id: json.user.id,
      authentication_method: METHODS[flow],
      claims: { sub: json.user.id, session_id: expect.any(String), amr: expect.any(Array) },
      metadata: { name: 'customize-access-token' },
    });
  });

  it('is not issued if the hook rejects; nothing is written and the request can be repeated', async () => {
    const request = await prepare();
    const before = await counts();
    await createFunction(sql, 'claims', REFUSE);
    hooks.reply = () => ({ body: { error: { http_code: 403, message: 'Not today' } } });
    for (const server of [sql, http]) {
      const { status, json } = await request(server);
      expect({ status, json }).toEqual({
        status: 403,
        json: { code: 403, error_code: 'unknown', msg: 'Not today' },
      });
      expect(await counts()).toEqual(before);
    }
    await createFunction(sql, 'claims', PASS);
    const { status, text } = await request(sql);
    expect(status, text).toBe(200);
  });
});

describe('a link', () => {
  it('redirects with the claims or the error of the hook, and remains valid after an error', async () => {
    const { email } = await signUpPerson(sql);
    const { link } = await codeFor(email);
    await createFunction(sql, 'claims', REFUSE);
    const refused = await openLink(sql, link ?? '');
    expect(refused.fragment).toMatchObject({ error_code: 'unknown', error_description: 'Not today' });
    await createFunction(
      sql,
      'claims',
      `begin return jsonb_build_object('claims', event -> 'claims' || '{"tenant": 9}'); end`,
    );
    const { fragment } = await openLink(sql, link ?? '');
    expect(claimsOf(fragment.access_token ?? '').tenant).toBe(9);
  });
});

describe('claims', () => {
  const claims = `jsonb_build_object('claims', (event -> 'claims')`;

  it.each(['aud', 'exp', 'iat', 'sub', 'email', 'phone', 'role', 'aal', 'session_id', 'is_anonymous'])(
    'must include %s',
    async (name) => {
      const { email } = await signUpPerson(sql);
      const before = await counts();
      await createFunction(sql, 'claims', `begin return ${claims} - '${name}'); end`);
      const { status, json } = await signIn(sql, email);
      expect({ status, code: json.error_code }).toEqual({ status: 500, code: 'unexpected_failure' });
      expect(json.msg).toContain(`claims.${name}`);
      expect(await counts()).toEqual(before);
    },
  );

  it.each(['iss', 'amr', 'app_metadata', 'user_metadata'])('may omit %s', async (name) => {
    const { email } = await signUpPerson(sql);
    await createFunction(sql, 'claims', `begin return ${claims} - '${name}'); end`);
    const { json } = await signIn(sql, email);
    expect(claimsOf(json.access_token)).not.toHaveProperty(name);
  });

  it.each([
    ['exp', '"soon"'],
    ['exp', '1.5'],
    ['iat', 'null'],
    ['aud', '7'],
    ['aud', '[7]'],
    ['sub', 'null'],
    ['email', 'null'],
    ['role', '{}'],
    ['session_id', '[]'],
    ['is_anonymous', '"no"'],
    ['app_metadata', '[]'],
    ['user_metadata', '"x"'],
    ['amr', '"password"'],
    ['amr', '[7]'],
  ])('must not have %s %s', async (name, value) => {
    const { email } = await signUpPerson(sql);
    await createFunction(sql, 'claims', `begin return ${claims} || '{"${name}": ${value}}'); end`);
    expect((await signIn(sql, email)).status).toBe(500);
  });

  it.each([`'{}'::jsonb`, `'{"claims": null}'::jsonb`, `'{"claims": []}'::jsonb`, 'null'])(
    'are missing in %s',
    async (reply) => {
      const { email } = await signUpPerson(sql);
      await createFunction(sql, 'claims', `begin return ${reply}; end`);
      expect((await signIn(sql, email)).status).toBe(500);
    },
  );

  it('can shorten the lifetime, which the response reports', async () => {
    const { email } = await signUpPerson(sql);
    await createFunction(
      sql,
      'claims',
      `begin return ${claims} || jsonb_build_object('exp', (event -> 'claims' ->> 'iat')::int + 60)); end`,
    );
    const { json } = await signIn(sql, email);
    expect(json.expires_in).toBe(60);
    expect(json.expires_at).toBe(claimsOf(json.access_token).exp);
  });
});

describe('concurrent requests', () => {
  it('sign in and refresh with a function and with a slow endpoint', async () => {
    const people = await Promise.all(Array.from({ length: 15 }, () => signUpPerson(sql)));
    hooks.reply = ({ body }) => ({ afterMs: 50, body: { claims: { ...body.claims, of: body.user_id } } });
    for (const server of [sql, http]) {
      const sessions = await Promise.all(people.map(({ email }) => signInPerson(server, email)));
      const refreshed = await Promise.all(sessions.map(({ refreshToken }) => refresh(server, refreshToken)));
      for (const [index, { status, json, text }] of refreshed.entries()) {
        expect(status, text).toBe(200);
        const { sub, of } = claimsOf(json.access_token);
        expect(sub).toBe(people[index]?.id);
        if (server === http) expect(of).toBe(sub);
      }
    }
  });

  it('do not block requests without hooks while an endpoint is slow', async () => {
    const people = await Promise.all(Array.from({ length: 12 }, () => signUpPerson(sql)));
    const barrier = Promise.withResolvers<void>();
    hooks.calls.length = 0;
    hooks.reply = ({ body }) => ({ after: barrier.promise, body: { claims: body.claims } });
    const refreshing = Promise.all(people.map(({ refreshToken }) => refresh(http, refreshToken)));
    await expect.poll(() => hooks.calls.length).toBeGreaterThanOrEqual(6);
    // Without a free connection, this would wait until the hook times out.
    const { status } = await send(http, { path: '/user', bearer: people[0]?.accessToken });
    barrier.resolve();
    expect(status).toBe(200);
    expect((await refreshing).map((response) => response.status)).toEqual(people.map(() => 200));
  });
});
