import { randomUUID } from 'node:crypto';
import { TEST_JWT_SECRET } from '@greenroom/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type App,
  authorize,
  CALLBACK,
  type Fields,
  newApp,
  redirectQuery,
  startOAuthServer,
  visit,
} from '../testing/oauth.ts';
import { send } from '../testing/scenario.ts';

let server: Awaited<ReturnType<typeof startOAuthServer>>;
let app: App;
beforeAll(async () => {
  server = await startOAuthServer({
    SITE_URL: 'https://room.example',
    GOTRUE_OAUTH_SERVER_AUTHORIZATION_PATH: '/allow',
  });
  app = await newApp(server, {
    redirect_uris: [CALLBACK, 'myapp://back', 'https://app.example/cb?tenant=1'],
  });
});
afterAll(() => server.close());

const rows = (id: string) =>
  server.database.admin.query<Record<string, unknown>>({
    text: 'select * from auth.oauth_authorizations where authorization_id = $1',
    values: [id],
  });

it("redirects to the site's consent page and stores the request", async () => {
  const response = await authorize(server, app, {
    state: 'st',
    nonce: 'no',
    resource: 'https://mcp.example/x',
  });
  expect([response.status, response.headers.get('cache-control')]).toEqual([302, 'no-store']);
  const page = new URL(response.headers.get('location') ?? '');
  expect(`${page.origin}${page.pathname}`).toBe('https://room.example/allow');
  const [row] = await rows(page.searchParams.get('authorization_id') ?? '');
  expect(row).toMatchObject({
    client_id: app.id,
    user_id: null,
    redirect_uri: CALLBACK,
    scope: 'openid email',
    state: 'st',
    nonce: 'no',
    resource: 'https://mcp.example/x',
    code_challenge_method: 's256',
    status: 'pending',
    authorization_code: null,
  });
  expect(Number(row?.expires_at) - Number(row?.created_at)).toBe(600_000);
});

it.each<[string, Fields, string]>([
  ['no scope', { scope: '' }, 'email'],
  ['a repeated scope', { scope: 'email  email openid' }, 'email openid'],
  [
    'all scopes',
    { scope: 'offline_access phone email profile openid' },
    'offline_access phone email profile openid',
  ],
  ['no response type', { response_type: '' }, 'openid email'],
  ['an upper-case id', {}, 'openid email'],
])('accepts %s', async (name, fields, scope) => {
  const client = name === 'an upper-case id' ? { ...app, id: app.id.toUpperCase() } : app;
  const id = redirectQuery(await authorize(server, client, fields)).get('authorization_id') ?? '';
  expect(await rows(id)).toMatchObject([{ scope }]);
});

describe('rejects without a redirect if the client is uncertain:', () => {
  it.each<[string, Fields, string]>([
    ['no client', { client_id: '' }, 'validation_failed'],
    ['a client id that is not a UUID', { client_id: 'x' }, 'validation_failed'],
    ['an unknown client', { client_id: randomUUID() }, 'oauth_client_not_found'],
    ['no redirect_uri', { redirect_uri: '' }, 'validation_failed'],
    ['another redirect_uri', { redirect_uri: 'https://evil.test/' }, 'validation_failed'],
    ['a longer redirect_uri', { redirect_uri: `${CALLBACK}/x` }, 'validation_failed'],
    ['a redirect_uri with another query', { redirect_uri: `${CALLBACK}?x` }, 'validation_failed'],
    ['a redirect_uri in capitals', { redirect_uri: CALLBACK.toUpperCase() }, 'validation_failed'],
    ['two redirect_uris in one', { redirect_uri: `${CALLBACK},myapp://back` }, 'validation_failed'],
    ['a redirect_uri with NUL', { redirect_uri: `${CALLBACK}\0` }, 'validation_failed'],
  ])('%s', async (_, fields, code) => {
    const { status, json, headers } = await authorize(server, app, fields);
    expect([status, json.error_code, headers.get('location')]).toEqual([400, code, null]);
  });

  it.each(['client_id', 'redirect_uri'])('a repeated %s', async (name) => {
    const query = new URLSearchParams({ client_id: app.id, redirect_uri: CALLBACK });
    query.append(name, query.get(name) ?? '');
    expect((await visit(`${server.url}/oauth/authorize?${query}`)).status).toBe(400);
  });

  it('a registered redirect_uri whose scheme is no longer allowed', async () => {
    const uri = 'ws://app.example/';
    const old = await newApp(server);
    await server.database.admin.query({
      text: 'update auth.oauth_clients set redirect_uris = $2 where id = $1',
      values: [old.id, uri],
    });
    const response = await authorize(server, old, { redirect_uri: uri });
    expect([response.status, response.json.error_code]).toEqual([400, 'validation_failed']);
  });

  it('a deleted client', async () => {
    const removed = await newApp(server);
    await server.admin('DELETE', `/admin/oauth/clients/${removed.id}`);
    expect((await authorize(server, removed)).json.error_code).toBe('oauth_client_not_found');
  });
});

describe('redirects to the application with an error for:', () => {
  it.each<[string, Fields, string]>([
    ['another response type', { response_type: 'token' }, 'unsupported_response_type'],
    ['two response types', { response_type: 'code id_token' }, 'unsupported_response_type'],
    ['another response mode', { response_mode: 'fragment' }, 'invalid_request'],
    ['an unknown scope', { scope: 'openid admin' }, 'invalid_scope'],
    ['a blank scope', { scope: ' ' }, 'invalid_scope'],
    ['no code challenge', { code_challenge: '' }, 'invalid_request'],
    ['no challenge method', { code_challenge_method: '' }, 'invalid_request'],
    ['no PKCE at all', { code_challenge: '', code_challenge_method: '' }, 'invalid_request'],
    ['another challenge method', { code_challenge_method: 'S512' }, 'invalid_request'],
    ['the method plain', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['the method PLAIN', { code_challenge_method: 'PLAIN' }, 'invalid_request'],
    ['a short challenge', { code_challenge: 'x'.repeat(42) }, 'invalid_request'],
    ['a long challenge', { code_challenge: 'x'.repeat(129) }, 'invalid_request'],
    ['a challenge with blanks', { code_challenge: 'x '.repeat(30) }, 'invalid_request'],
    ['a long nonce', { nonce: 'x'.repeat(256) }, 'invalid_request'],
    ['a nonce with NUL', { nonce: 'a\0' }, 'invalid_request'],
    ['a relative resource', { resource: '/x' }, 'invalid_target'],
    ['a resource with a fragment', { resource: 'https://x.example/#a' }, 'invalid_target'],
    ['a resource with a query', { resource: 'https://x.example/?a' }, 'invalid_target'],
    ['a long resource', { resource: `https://x.example/${'x'.repeat(2048)}` }, 'invalid_target'],
    ['a request object', { request: 'e30.e30.' }, 'request_not_supported'],
    ['a request object by URL', { request_uri: 'https://x.example/' }, 'request_uri_not_supported'],
    ['prompt=none', { prompt: 'none' }, 'login_required'],
  ])('%s', async (_, fields, error) => {
    const response = await authorize(server, app, { state: 'a&b=c', ...fields });
    expect(response.status).toBe(302);
    expect(response.headers.get('location')?.startsWith(`${CALLBACK}?`)).toBe(true);
    const parameters = Object.fromEntries(redirectQuery(response));
    expect(parameters).toEqual({
      error,
      error_description: expect.any(String),
      state: 'a&b=c',
      iss: server.url,
    });
    // RFC 6749 §4.1.2.1 allows only ASCII without quotes and backslashes.
    expect(parameters.error_description).toMatch(/^[ !#-[\]-~]+$/);
  });

  it('a state that is too long', async () => {
    const response = await authorize(server, app, { state: 'x'.repeat(4097) });
    expect([response.status, redirectQuery(response).get('error')]).toEqual([302, 'invalid_request']);
  });

  it.each(['state', 'scope', 'nonce', 'code_challenge'])('a repeated %s', async (name) => {
    const query = new URLSearchParams({ client_id: app.id, redirect_uri: CALLBACK, [name]: 'a' });
    query.append(name, 'b');
    const response = await visit(`${server.url}/oauth/authorize?${query}`);
    expect(redirectQuery(response).get('error')).toBe('invalid_request');
  });

  it.each([
    ['myapp://back', /^myapp:\/\/back\?error=/],
    ['https://app.example/cb?tenant=1', /^https:\/\/app\.example\/cb\?tenant=1&error=/],
  ])('an error at %s', async (redirectUri, pattern) => {
    const response = await authorize(server, app, { redirect_uri: redirectUri, scope: 'x' });
    expect(response.headers.get('location')).toMatch(pattern);
  });
});

it('rejects scope openid if tokens are signed with a shared secret', async () => {
  const { createKeyring, generateKeyFile } = await import('@greenroom/keys');
  const { signingKey } = await generateKeyFile(1);
  const keys = createKeyring({
    signingKeys: [signingKey],
    jwtSecret: TEST_JWT_SECRET,
    signsWithSecret: true,
  });
  const other = await startOAuthServer({}, { ...server, keys });
  const refused = await authorize(other, app);
  const authorized = await authorize(other, app, { scope: 'email' });
  await other.close();
  expect(redirectQuery(refused).get('error')).toBe('invalid_scope');
  expect(redirectQuery(authorized).has('authorization_id')).toBe(true);
});

it('does not respond with 500 to arbitrary parameters', async () => {
  const names = [
    'response_type',
    'scope',
    'state',
    'nonce',
    'resource',
    'prompt',
    'code_challenge',
    'redirect_uri',
  ];
  const value = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('S256', 'openid', CALLBACK, '\0', '\r\nx: y'),
  );
  await fc.assert(
    fc.asyncProperty(fc.dictionary(fc.constantFrom(...names), value), async (fields) => {
      const { status, headers } = await authorize(server, app, fields);
      expect([302, 400]).toContain(status);
      if (status === 302) expect(headers.get('location')).toMatch(/^https:\/\/(app|room)\.example\//);
    }),
    { numRuns: 200 },
  );
});

it('creates no request for HEAD', async () => {
  const query = new URLSearchParams({ client_id: app.id, redirect_uri: CALLBACK });
  const { status } = await send(server, { method: 'HEAD', path: `/oauth/authorize?${query}` });
  expect(status).toBe(404);
});

it('deletes requests that stayed undecided for a day', async () => {
  const old = redirectQuery(await authorize(server, app)).get('authorization_id') ?? '';
  const text = `update auth.oauth_authorizations set created_at = now() - interval '3 days',
    expires_at = now() - interval '2 days' where authorization_id = $1`;
  await server.database.admin.query({ text, values: [old] });
  await authorize(server, app);
  expect(await rows(old)).toEqual([]);
});
