/** Dynamic registration (RFC 7591). */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CALLBACK, startOAuthServer } from '../testing/oauth.ts';
import { type Call, send } from '../testing/scenario.ts';

let server: Awaited<ReturnType<typeof startOAuthServer>>;
beforeAll(async () => {
  server = await startOAuthServer({ GOTRUE_OAUTH_SERVER_ALLOW_DYNAMIC_REGISTRATION: 'true' });
});
afterAll(() => server.close());

const register = (body: Call['body'] = {}, headers: Record<string, string> = {}) =>
  send(server, { method: 'POST', path: '/oauth/clients/register', body, headers });

it('returns the response of RFC 7591 §3.2.1', async () => {
  const { status, json, headers } = await register({ redirect_uris: [CALLBACK, CALLBACK], client_name: 'N' });
  expect([status, headers.get('cache-control')]).toEqual([201, 'no-store']);
  expect(json).toEqual({
    client_id: expect.any(String),
    client_secret: expect.stringMatching(/^[\w-]{43}$/),
    client_id_issued_at: expect.any(Number),
    client_secret_expires_at: 0,
    client_type: 'confidential',
    redirect_uris: [CALLBACK],
    token_endpoint_auth_method: 'client_secret_basic',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    client_name: 'N',
    registration_type: 'dynamic',
    created_at: expect.any(String),
    updated_at: expect.any(String),
  });
  const text = 'select client_secret_hash from auth.oauth_clients where id = $1';
  const [row] = await server.database.admin.query<Record<string, string>>({ text, values: [json.client_id] });
  expect(row?.client_secret_hash).toMatch(/^[\w-]{43}$/);
  expect(row?.client_secret_hash).not.toBe(json.client_secret);
});

it.each([
  [{ token_endpoint_auth_method: 'none' }, 'public', 'none'],
  [{ client_type: 'public' }, 'public', 'none'],
  [{ client_type: 'confidential' }, 'confidential', 'client_secret_basic'],
  [{ token_endpoint_auth_method: 'client_secret_post' }, 'confidential', 'client_secret_post'],
  [
    { response_types: ['code'], scope: 'openid', contacts: ['a@x.example'], logo_uri: '' },
    'confidential',
    'client_secret_basic',
  ],
])('accepts %j', async (fields, type, method) => {
  const { json } = await register({ redirect_uris: ['myapp://cb'], ...fields });
  expect([json.client_type, json.token_endpoint_auth_method]).toEqual([type, method]);
  expect(Object.hasOwn(json, 'client_secret')).toBe(type === 'confidential');
});

describe('rejects', () => {
  it.each<[string, Call['body'], string]>([
    ['an empty body', '', 'invalid_client_metadata'],
    ['malformed JSON', '{', 'invalid_client_metadata'],
    ['a list', '[]', 'invalid_client_metadata'],
    ['no redirect URIs', {}, 'invalid_redirect_uri'],
    ['an empty list of redirect URIs', { redirect_uris: [] }, 'invalid_redirect_uri'],
    [
      'eleven redirect URIs',
      { redirect_uris: Array.from({ length: 11 }, (_, i) => `${CALLBACK}${i}`) },
      'invalid_redirect_uri',
    ],
    ['a redirect URI with a fragment', { redirect_uris: [`${CALLBACK}#x`] }, 'invalid_redirect_uri'],
    ['plain http', { redirect_uris: [CALLBACK, 'http://app.example/'] }, 'invalid_redirect_uri'],
    ['a script URL', { redirect_uris: ['javascript:alert(1)'] }, 'invalid_redirect_uri'],
    ['a WebSocket URL', { redirect_uris: ['wss://app.example/'] }, 'invalid_redirect_uri'],
    [
      'PKCE without a hash',
      { redirect_uris: [CALLBACK], code_challenge_method: 'plain' },
      'invalid_client_metadata',
    ],
    ['redirect URIs as text', { redirect_uris: CALLBACK }, 'invalid_client_metadata'],
    ['redirect URIs as numbers', { redirect_uris: [1] }, 'invalid_client_metadata'],
    [
      'an unknown grant type',
      { redirect_uris: [CALLBACK], grant_types: ['implicit'] },
      'invalid_client_metadata',
    ],
    [
      'an unknown response type',
      { redirect_uris: [CALLBACK], response_types: ['token'] },
      'invalid_client_metadata',
    ],
    ['an unknown client type', { redirect_uris: [CALLBACK], client_type: 'x' }, 'invalid_client_metadata'],
    [
      'an unknown authentication method',
      { redirect_uris: [CALLBACK], token_endpoint_auth_method: 'private_key_jwt' },
      'invalid_client_metadata',
    ],
    [
      'a public client with a secret',
      { redirect_uris: [CALLBACK], client_type: 'public', token_endpoint_auth_method: 'client_secret_post' },
      'invalid_client_metadata',
    ],
    [
      'a confidential client without a secret',
      { redirect_uris: [CALLBACK], client_type: 'confidential', token_endpoint_auth_method: 'none' },
      'invalid_client_metadata',
    ],
    ['a long name', { redirect_uris: [CALLBACK], client_name: 'x'.repeat(1025) }, 'invalid_client_metadata'],
    ['a name with NUL', { redirect_uris: [CALLBACK], client_name: '\0' }, 'invalid_client_metadata'],
    [
      'a client_uri that is a script URL',
      { redirect_uris: [CALLBACK], client_uri: 'javascript:alert(1)' },
      'invalid_client_metadata',
    ],
    [
      'a logo_uri that is a data URL',
      { redirect_uris: [CALLBACK], logo_uri: 'data:image/svg+xml,x' },
      'invalid_client_metadata',
    ],
    [
      'a long logo_uri',
      { redirect_uris: [CALLBACK], logo_uri: `https://x.example/${'x'.repeat(2048)}` },
      'invalid_client_metadata',
    ],
  ])('%s', async (_, body, error) => {
    const { status, json, headers } = await register(body);
    expect([status, json.error, headers.get('cache-control')]).toEqual([400, error, 'no-store']);
    expect(json.error_description).toMatch(/^[ !#-[\]-~]+$/);
  });

  it('all requests if registration is disabled', async () => {
    const closed = await startOAuthServer({}, server);
    const response = await send(closed, { method: 'POST', path: '/oauth/clients/register', body: {} });
    const { json } = await send(closed, { path: '/.well-known/oauth-authorization-server' });
    await closed.close();
    expect([response.status, response.json.error_code]).toEqual([
      403,
      'oauth_dynamic_client_registration_disabled',
    ]);
    expect(json).not.toHaveProperty('registration_endpoint');
  });

  it('requests above the rate limit', async () => {
    const env = {
      GOTRUE_OAUTH_SERVER_ALLOW_DYNAMIC_REGISTRATION: 'true',
      GOTRUE_RATE_LIMIT_HEADER: 'x-real-ip',
      GOTRUE_RATE_LIMIT_OAUTH_DYNAMIC_CLIENT_REGISTER: '0',
    };
    const limited = await startOAuthServer(env, server);
    const call = () =>
      send(limited, {
        method: 'POST',
        path: '/oauth/clients/register',
        body: {},
        headers: { 'x-real-ip': 'a' },
      });
    const responses = await Promise.all(Array.from({ length: 31 }, call));
    await limited.close();
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(1);
  });
});

it('does not respond with 500 to arbitrary bodies', async () => {
  const names = ['redirect_uris', 'grant_types', 'client_name', 'client_uri', 'logo_uri', 'client_type'];
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.webUrl(),
    fc.constantFrom('\0', 'x:y', '\u2028', '$1'),
  );
  const value = fc.oneof(text, fc.array(text, { maxLength: 12 }), fc.jsonValue({ maxDepth: 2 }));
  await fc.assert(
    fc.asyncProperty(fc.dictionary(fc.constantFrom(...names), value), async (fields) => {
      const { status, text: response } = await register({ redirect_uris: [CALLBACK], ...fields });
      expect([201, 400], response).toContain(status);
    }),
    { numRuns: 200 },
  );
});

it('is at the URL in both metadata documents', async () => {
  const [oauth, openid] = await Promise.all(
    ['oauth-authorization-server', 'openid-configuration'].map((name) =>
      send(server, { path: `/.well-known/${name}` }),
    ),
  );
  expect(oauth?.json).toEqual(openid?.json);
  expect(oauth?.json).toMatchObject({
    issuer: server.url,
    registration_endpoint: `${server.url}/oauth/clients/register`,
    authorization_response_iss_parameter_supported: true,
    code_challenge_methods_supported: ['S256'],
  });
});
