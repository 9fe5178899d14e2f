/** The token endpoint: which clients may exchange which grants, once. */
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type App,
  basic,
  challengeOf,
  exchange,
  type Fields,
  getCode,
  newApp,
  postForm,
  refreshAs,
  signInTo,
  startOAuthServer,
} from '../testing/oauth.ts';
import { claimsOf, type Person, refresh, signUpPerson, signUpProvenPerson } from '../testing/people.ts';
import { send } from '../testing/scenario.ts';

let server: Awaited<ReturnType<typeof startOAuthServer>>;
let ann: Person;
let app: App;
let post: App;
let open: App;
beforeAll(async () => {
  server = await startOAuthServer();
  ann = await signUpPerson(server);
  app = await newApp(server);
  post = await newApp(server, { token_endpoint_auth_method: 'client_secret_post' });
  open = await newApp(server, { client_type: 'public' });
});
afterAll(() => server.close());

const sessionsOf = ({ id }: App) =>
  server.database.admin.query<Record<string, unknown>>({
    text: 'select id, scopes from auth.sessions where oauth_client_id = $1',
    values: [id],
  });

/** Ages the session of a code beyond the time for duplicate requests. */
const expireReuseInterval = (sessionId: string) =>
  server.database.admin.query({
    text: `update auth.sessions set created_at = created_at - interval '5 seconds' where id = $1`,
    values: [sessionId],
  });

describe('an exchange', () => {
  it('opens a session of the application and returns no user', async () => {
    const own = await newApp(server);
    const response = await exchange(
      server,
      own,
      await getCode(server, own, ann, { scope: 'email', nonce: 'n' }),
    );
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(response.json).toEqual({
      access_token: expect.any(String),
      token_type: 'bearer',
      expires_in: 3600,
      refresh_token: expect.any(String),
      scope: 'email',
    });
    const { session_id } = claimsOf(response.json.access_token);
    expect(await sessionsOf(own)).toEqual([{ id: session_id, scopes: 'email' }]);
  });

  it('accepts JSON', async () => {
    const verifier = randomBytes(32).toString('base64url');
    const fields = { code_challenge: challengeOf(verifier) };
    const { code } = await getCode(server, open, ann, fields);
    const body = { grant_type: 'authorization_code', code, code_verifier: verifier, client_id: open.id };
    const headers = { 'content-type': 'application/json; charset=utf-8' };
    expect((await send(server, { method: 'POST', path: '/oauth/token', headers, body })).status).toBe(200);
  });

  it('returns no refresh token to a client without that grant', async () => {
    const short = await newApp(server, { grant_types: ['authorization_code'] });
    const { refresh_token: token } = await signInTo(server, short, ann);
    expect(token).toBeUndefined();
    expect((await refreshAs(server, short, 'a'.repeat(12))).json.error).toBe('unauthorized_client');
  });

  it('adds claims to the ID token by scope', async () => {
    const { id_token: token = '' } = await signInTo(server, open, ann, { scope: 'openid', nonce: 'no' });
    expect(claimsOf(token)).toEqual({
      iss: server.url,
      sub: ann.id,
      aud: open.id,
      exp: expect.any(Number),
      iat: expect.any(Number),
      auth_time: expect.any(Number),
      nonce: 'no',
      token_use: 'id',
    });
    const all = await signInTo(server, open, ann, { scope: 'openid email profile phone' });
    expect(claimsOf(all.id_token ?? '')).toMatchObject({ email: ann.email, updated_at: expect.any(Number) });
  });

  it('reports a confirmed address as verified only if it is proven', async () => {
    const people = [ann, await signUpProvenPerson(server)];
    const verified = people.map(async (person) => {
      const { id_token, access_token: bearer } = await signInTo(server, open, person, {
        scope: 'openid email',
      });
      const { json } = await send(server, { path: '/oauth/userinfo', bearer });
      return [claimsOf(id_token ?? '').email_verified, json.email_verified];
    });
    expect(await Promise.all(verified)).toEqual([
      [false, false],
      [true, true],
    ]);
  });
});

describe('a code', () => {
  const refused = { error: 'invalid_grant', error_description: 'The authorization code is not valid' };

  it.each<[string, Fields]>([
    ['without a verifier', { code_verifier: '' }],
    ['with another verifier', { code_verifier: 'x'.repeat(43) }],
    ['with another redirect_uri', { redirect_uri: 'https://app.example/other' }],
    ['with a resource that was not requested', { resource: 'https://mcp.example/' }],
    ['that is unknown', { code: 'x'.repeat(43) }],
    ['that is malformed', { code: '\0' }],
  ])('%s is rejected and stays valid', async (_, fields) => {
    const code = await getCode(server, app, ann);
    const { status, json, headers } = await exchange(server, app, code, fields);
    expect([status, json, headers.get('cache-control')]).toEqual([400, refused, 'no-store']);
    expect((await exchange(server, app, code)).status).toBe(200);
  });

  it('works only for its application', async () => {
    const code = await getCode(server, app, ann);
    expect((await exchange(server, open, code)).json).toEqual(refused);
    expect((await exchange(server, app, code)).status).toBe(200);
  });

  it('works once; a second use ends its session', async () => {
    const code = await getCode(server, app, ann);
    const { json } = await exchange(server, app, code);
    const { session_id: id } = claimsOf(json.access_token);
    await expireReuseInterval(id);
    expect((await exchange(server, app, code, { code_verifier: 'y'.repeat(43) })).json).toEqual(refused);
    expect((await send(server, { path: '/user', bearer: json.access_token })).status).toBe(200);
    expect((await exchange(server, app, code)).json).toEqual(refused);
    expect((await send(server, { path: '/user', bearer: json.access_token })).json.error_code).toBe(
      'session_not_found',
    );
    expect((await refreshAs(server, app, json.refresh_token)).json.error).toBe('invalid_grant');
    expect((await exchange(server, app, code)).json).toEqual(refused);
  });

  it('sent concurrently opens one session, which continues', async () => {
    const own = await newApp(server);
    const code = await getCode(server, own, ann);
    const responses = await Promise.all(Array.from({ length: 10 }, () => exchange(server, own, code)));
    const good = responses.filter(({ status }) => status === 200);
    expect(good).toHaveLength(1);
    expect(responses.filter(({ json }) => json.error === 'invalid_grant')).toHaveLength(9);
    expect(await sessionsOf(own)).toHaveLength(1);
    expect((await refreshAs(server, own, good[0]?.json.refresh_token)).status).toBe(200);
  });

  it('expires', async () => {
    const code = await getCode(server, app, ann);
    const text = `update auth.oauth_authorizations set created_at = now() - interval '1 hour', expires_at = now()
      where user_id = $1 and status = 'approved'`;
    await server.database.admin.query({ text, values: [ann.id] });
    expect((await exchange(server, app, code)).json).toEqual(refused);
  });

  it('of a banned user is rejected', async () => {
    const bob = await signUpPerson(server);
    const code = await getCode(server, app, bob);
    await server.admin('PUT', `/admin/users/${bob.id}`, { ban_duration: '1h' });
    expect((await exchange(server, app, code)).json).toEqual(refused);
  });

  it('is stored as a hash', async () => {
    const { code } = await getCode(server, app, ann);
    const text = 'select count(*)::int as count from auth.oauth_authorizations a where a::text like $1';
    expect(await server.database.admin.query({ text, values: [`%${code}%`] })).toEqual([{ count: 0 }]);
  });
});

describe('an application', () => {
  const grant = { grant_type: 'refresh_token', refresh_token: 'a'.repeat(12) };
  const failed = { error: 'invalid_client', error_description: 'Client authentication failed' };
  const wrong = (of: App) => ({ ...of, secret: 'x'.repeat(43) });

  it.each<[string, () => Fields, () => Fields | undefined, number]>([
    ['with a wrong secret', () => ({}), () => basic(wrong(app)), 401],
    ['with an empty secret', () => ({}), () => basic({ ...app, secret: '' }), 401],
    [
      'by a parameter instead of HTTP Basic',
      () => ({ client_id: app.id, client_secret: app.secret }),
      () => undefined,
      400,
    ],
    ['without a secret though it has one', () => ({ client_id: app.id }), () => undefined, 400],
    ['by HTTP Basic instead of a parameter', () => ({}), () => basic(post), 401],
    [
      'with a wrong secret as a parameter',
      () => ({ client_id: post.id, client_secret: 'x' }),
      () => undefined,
      400,
    ],
    [
      'with a secret though it has none',
      () => ({ client_id: open.id, client_secret: 'x' }),
      () => undefined,
      400,
    ],
    ['by HTTP Basic though it has no secret', () => ({}), () => basic({ ...open, secret: '' }), 401],
    ['that is unknown', () => ({ client_id: crypto.randomUUID() }), () => undefined, 400],
    ['whose id is not a UUID', () => ({ client_id: "x'" }), () => undefined, 400],
    ['with a header that is not base64', () => ({}), () => ({ authorization: 'Basic ***' }), 401],
    ['with a header without a colon', () => ({}), () => ({ authorization: `Basic ${btoa('x')}` }), 401],
    ['with a header with a bad escape', () => ({}), () => ({ authorization: `Basic ${btoa('%zz:%')}` }), 401],
  ])('is rejected: %s', async (_, fields, headers, status) => {
    const response = await postForm(server, { ...grant, ...fields() }, headers());
    expect([response.status, response.json]).toEqual([status, failed]);
    const challenge = response.headers.get('www-authenticate');
    expect(challenge).toBe(status === 401 ? 'Basic realm="oauth", charset="UTF-8"' : null);
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  it.each<[string, () => Fields, () => Fields | undefined, string]>([
    [
      'two authentication methods',
      () => ({ client_secret: app.secret }),
      () => basic(app),
      'invalid_request',
    ],
    ['two client ids', () => ({ client_id: open.id }), () => basic(app), 'invalid_request'],
    ['no client id', () => ({}), () => undefined, 'invalid_client'],
    ['no grant', () => ({ client_id: open.id, grant_type: '' }), () => undefined, 'invalid_request'],
    [
      'another grant',
      () => ({ client_id: open.id, grant_type: 'password' }),
      () => undefined,
      'unsupported_grant_type',
    ],
    [
      'no refresh token',
      () => ({ client_id: open.id, refresh_token: '' }),
      () => undefined,
      'invalid_request',
    ],
    ['an unknown refresh token', () => ({ client_id: open.id }), () => undefined, 'invalid_grant'],
    [
      'a malformed refresh token',
      () => ({ client_id: open.id, refresh_token: '\0' }),
      () => undefined,
      'invalid_grant',
    ],
    [
      'no code',
      () => ({ client_id: open.id, grant_type: 'authorization_code' }),
      () => undefined,
      'invalid_request',
    ],
  ])('with %s gets error $3', async (_, fields, headers, error) => {
    const response = await postForm(server, { ...grant, ...fields() }, headers());
    expect([response.status, response.json.error]).toEqual([400, error]);
  });

  it.each([
    ['an empty body', ''],
    ['truncated JSON', '{"grant_type":'],
    ['a list', '[]'],
    ['numbers', '{"grant_type":1,"client_id":2}'],
    ['NUL', '{"grant_type":"\\u0000"}'],
    ['a prototype', '{"__proto__":{"client_id":"x"}}'],
  ])('that sends %s as JSON gets an error', async (_, body) => {
    const headers = { 'content-type': 'application/json' };
    const response = await send(server, { method: 'POST', path: '/oauth/token', headers, body });
    expect([response.status, response.json.error]).toEqual([
      400,
      expect.stringMatching(/^invalid_(request|client)$/),
    ]);
  });

  it('that repeats a parameter gets an error', async () => {
    const body = `client_id=${open.id}&grant_type=refresh_token&grant_type=authorization_code`;
    expect((await send(server, { method: 'POST', path: '/oauth/token', body })).json.error).toBe(
      'invalid_request',
    );
  });

  it('gets no 500 for arbitrary parameters', async () => {
    const names = [
      'grant_type',
      'code',
      'refresh_token',
      'redirect_uri',
      'client_id',
      'client_secret',
      'code_verifier',
    ];
    const value = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('authorization_code', 'refresh_token', open.id),
    );
    const form = fc.dictionary(fc.constantFrom(...names), value);
    const header = fc.oneof(
      fc.constant({}),
      fc.base64String().map((text) => ({ authorization: `Basic ${text}` })),
    );
    await fc.assert(
      fc.asyncProperty(form, header, async (fields, headers) => {
        const response = await postForm(server, fields, headers);
        expect([400, 401], response.text).toContain(response.status);
        expect(response.json.error).toMatch(/^[a-z_]+$/);
      }),
      { numRuns: 200 },
    );
  });
});

describe('a refresh token', () => {
  it('of an application works once, at the OAuth endpoint', async () => {
    const first = await signInTo(server, app, ann);
    const second = await refreshAs(server, app, first.refresh_token);
    expect(Object.keys(second.json).sort()).toEqual([
      'access_token',
      'expires_in',
      'refresh_token',
      'scope',
      'token_type',
    ]);
    const third = await refreshAs(server, app, second.json.refresh_token);
    expect(third.status).toBe(200);
  });

  it.each<[string, (token: string) => Promise<{ status: number; json: { error: string } }>, string]>([
    ['the endpoint for accounts', (token) => refresh(server, token), 'invalid_client'],
    ['another application', (token) => refreshAs(server, open, token), 'invalid_grant'],
  ])('of an application is rejected at %s and stays valid', async (_, use, error) => {
    const { refresh_token: token } = await signInTo(server, app, ann);
    for (let index = 0; index < 2; index += 1) {
      const { status, json } = await use(token);
      expect([status, json.error]).toEqual([400, error]);
    }
    expect((await refreshAs(server, app, token)).status).toBe(200);
  });

  it('of an account is rejected at the OAuth endpoint and stays valid', async () => {
    const { refreshToken } = await signUpPerson(server);
    expect((await refreshAs(server, app, refreshToken)).json.error).toBe('invalid_grant');
    expect((await refresh(server, refreshToken)).status).toBe(200);
  });

  it('that is reused ends its session', async () => {
    const strict = await startOAuthServer({ GOTRUE_SECURITY_REFRESH_TOKEN_REUSE_INTERVAL: '0' }, server);
    const first = await signInTo(strict, app, ann);
    const second = await refreshAs(strict, app, first.refresh_token);
    const third = await refreshAs(strict, app, second.json.refresh_token);
    expect((await refreshAs(strict, app, first.refresh_token)).json).toEqual({
      error: 'invalid_grant',
      error_description: 'Invalid Refresh Token: Already Used',
    });
    expect((await refreshAs(strict, app, third.json.refresh_token)).json.error).toBe('invalid_grant');
    await strict.close();
  });
});
