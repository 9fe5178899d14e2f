import { randomUUID } from 'node:crypto';
import { type AddressInfo, createServer } from 'node:net';
import {
  CLIENT_ID,
  CLIENT_SECRET,
  followRedirects,
  type OpenidProvider,
  startOpenidProvider,
} from '@greenroom/testing/openid-provider';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AuthServer, startAuthServer } from '../../../testing/auth-server.ts';
import { newEmail, signUpPerson } from '../../../testing/people.ts';
import { send } from '../../../testing/scenario.ts';

const CALLBACK = 'http://127.0.0.1:54321/auth/v1/callback';

let openid: OpenidProvider;
let server: AuthServer;
let service: string;
let client: SupabaseClient;
beforeAll(async () => {
  openid = await startOpenidProvider(CALLBACK);
  server = await startAuthServer({ GOTRUE_CUSTOM_OAUTH_MAX_PROVIDERS: '3' });
  service = await server.keys.sign({ role: 'service_role', exp: Math.floor(Date.now() / 1000) + 3600 });
  client = createClient('http://127.0.0.1:54321', service, {
    auth: { autoRefreshToken: false, persistSession: false },
    global: {
      fetch: (input, init) =>
        fetch(String(input).replace('http://127.0.0.1:54321/auth/v1', server.url), init),
    },
  });
});
afterAll(async () => {
  await server?.close();
  await openid?.close();
});

const admin = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object, bearer = service) =>
  send(server, { method, path: `/admin/custom-providers${path}`, bearer, ...(body && { body }) });

const oidc = (more: object = {}) => ({
  provider_type: 'oidc' as const,
  identifier: 'custom:company',
  name: 'Company',
  client_id: CLIENT_ID,
  client_secret: CLIENT_SECRET,
  issuer: openid.issuer,
  scopes: ['email', 'profile'],
  ...more,
});

const oauth = (more: object = {}) => ({
  provider_type: 'oauth2' as const,
  identifier: 'custom:plain',
  name: 'Plain',
  client_id: CLIENT_ID,
  client_secret: CLIENT_SECRET,
  authorization_url: `${openid.issuer}/auth`,
  token_url: `${openid.issuer}/token`,
  userinfo_url: `${openid.issuer}/me`,
  scopes: ['openid', 'email', 'profile'],
  ...more,
});

async function signIn(provider: string, sub: string) {
  const query = new URLSearchParams({ provider, login_hint: sub });
  const begun = await fetch(`${server.url}/authorize?${query}`, { redirect: 'manual' });
  expect(begun.status, await begun.text()).toBe(302);
  const { location } = await followRedirects(begun.headers.get('location') ?? '', CALLBACK);
  const back = await fetch(`${server.url}/callback${new URL(location).search}`, { redirect: 'manual' });
  const end = new URL(back.headers.get('location') ?? '');
  const bearer = new URLSearchParams(end.hash.slice(1)).get('access_token') ?? undefined;
  expect(bearer, end.href).toBeDefined();
  return (await send(server, { path: '/user', bearer })).json;
}

function newPerson(claims: object = {}): { sub: string; email: string } {
  const sub = randomUUID();
  const email = newEmail();
  openid.users.set(sub, { email, email_verified: true, name: 'Ada', nickname: 'ada', ...claims });
  return { sub, email };
}

describe('a custom provider', () => {
  it('is created, updated and deleted by the official client', async () => {
    const { customProviders } = client.auth.admin;
    const created = await customProviders.createProvider(oidc());
    expect(created.error).toBeNull();
    expect(created.data).toMatchObject({
      identifier: 'custom:company',
      issuer: openid.issuer,
      pkce_enabled: true,
      enabled: true,
    });
    expect(created.data).not.toHaveProperty('client_secret');
    const person = newPerson();
    const user = await signIn('custom:company', person.sub);
    expect(user).toMatchObject({ email: person.email, app_metadata: { provider: 'custom:company' } });

    const changed = await customProviders.updateProvider('custom:company', {
      attribute_mapping: { full_name: 'nickname', sub: 'sub' },
      custom_claims_allowlist: ['nickname'],
    });
    expect(changed.data).toMatchObject({ name: 'Company', custom_claims_allowlist: ['nickname'] });
    const again = await signIn('custom:company', person.sub);
    expect(again).toMatchObject({
      id: user.id,
      user_metadata: { custom_claims: { nickname: 'ada' }, full_name: 'ada' },
    });

    expect((await customProviders.getProvider('custom:company')).data?.name).toBe('Company');
    expect((await customProviders.listProviders({ type: 'oidc' })).data?.providers).toHaveLength(1);
    expect((await customProviders.listProviders({ type: 'oauth2' })).data?.providers).toHaveLength(0);

    await customProviders.updateProvider('custom:company', { enabled: false });
    const off = await send(server, { path: '/authorize?provider=custom:company' });
    expect(off.json.msg).toContain('not enabled');
    expect((await customProviders.deleteProvider('custom:company')).error).toBeNull();
    expect((await customProviders.getProvider('custom:company')).error).toMatchObject({ status: 404 });
    expect((await customProviders.deleteProvider('custom:company')).error).toMatchObject({ status: 404 });
  });

  it('may use plain OAuth 2.0', async () => {
    expect((await admin('POST', '', oauth())).status).toBe(201);
    const person = newPerson();
    const user = await signIn('custom:plain', person.sub);
    expect(user).toMatchObject({
      email: person.email,
      identities: [{ provider: 'custom:plain', id: person.sub }],
    });
    await admin('DELETE', '/custom:plain');
  });

  it('is contacted at its new URLs after a change', async () => {
    const doorOf = async () => {
      const begun = await fetch(`${server.url}/authorize?provider=custom:moved`, { redirect: 'manual' });
      return new URL(begun.headers.get('location') ?? '').pathname;
    };
    await admin('POST', '', oauth({ identifier: 'custom:moved' }));
    expect(await doorOf()).toBe('/auth');
    await admin('PUT', '/custom:moved', { authorization_url: `${openid.issuer}/elsewhere` });
    expect(await doorOf()).toBe('/elsewhere');
    await admin('DELETE', '/custom:moved');
    // The missing document is fetched although metadata of this issuer is cached.
    await admin('POST', '', oidc({ identifier: 'custom:moved' }));
    const discovery_url = `${openid.issuer}/nowhere/.well-known/openid-configuration`;
    expect((await admin('PUT', '/custom:moved', { discovery_url })).status).toBe(400);
    await admin('DELETE', '/custom:moved');
  });

  it('has an encrypted secret that responses omit', async () => {
    await admin('POST', '', oidc());
    const [row] = await server.database.admin.query<{ client_secret: string }>({
      text: 'select client_secret from auth.custom_oauth_providers',
    });
    expect(row?.client_secret).toMatch(/^v1\./);
    await admin('DELETE', '/custom:company');
  });

  it('accepts ID tokens', async () => {
    await admin('POST', '', oidc());
    const id_token = await openid.idToken({ sub: 'x', email: newEmail(), email_verified: true });
    const body = { provider: 'custom:company', id_token };
    const response = await send(server, { method: 'POST', path: '/token?grant_type=id_token', body });
    expect(response.status, response.text).toBe(200);
    await admin('DELETE', '/custom:company');
  });

  it('must have a unique identifier and not exceed the quota', async () => {
    const identifiers = ['custom:a', 'custom:b', 'custom:c'];
    for (const identifier of identifiers) await admin('POST', '', oauth({ identifier }));
    const duplicate = await admin('POST', '', oauth({ identifier: 'custom:a' }));
    expect([duplicate.status, duplicate.json.error_code]).toEqual([400, 'over_custom_provider_quota']);
    await admin('DELETE', '/custom:c');
    const conflict = await admin('POST', '', oauth({ identifier: 'custom:a' }));
    expect([conflict.status, conflict.json.error_code]).toEqual([400, 'conflict']);
    for (const identifier of identifiers) await admin('DELETE', `/${identifier}`);
  });

  it.each<[string, () => object, string]>([
    ['an identifier without the prefix', () => oidc({ identifier: 'company' }), 'identifier'],
    ['an identifier with capitals', () => oidc({ identifier: 'custom:Company' }), 'identifier'],
    ['no identifier', () => oidc({ identifier: undefined }), 'identifier'],
    ['no name', () => oidc({ name: '' }), 'name is required'],
    ['a long name', () => oidc({ name: 'x'.repeat(101) }), 'longer than 100'],
    ['no secret', () => oidc({ client_secret: undefined }), 'client_secret'],
    ['no issuer', () => oidc({ issuer: undefined }), 'issuer is required'],
    ['an issuer without TLS', () => oidc({ issuer: 'http://example.org' }), 'https'],
    ['an unreachable issuer', () => oidc({ issuer: 'http://127.0.0.1:9' }), 'cannot be read'],
    [
      'the discovery document of another issuer',
      () =>
        oidc({
          issuer: 'https://example.org',
          discovery_url: `${openid.issuer}/.well-known/openid-configuration`,
        }),
      'discovery document',
    ],
    ['no endpoints', () => oauth({ token_url: undefined }), 'token_url is required'],
    ['an endpoint that is not an https URL', () => oauth({ token_url: 'file:///etc/passwd' }), 'https'],
    ['reserved parameters', () => oauth({ authorization_params: { state: 'x' } }), 'state'],
  ])('is rejected with %s', async (_, body, message) => {
    const response = await admin('POST', '', body());
    expect([response.status, response.json.error_code], response.text).toEqual([400, 'validation_failed']);
    expect(response.json.msg).toContain(message);
  });

  it.each([
    [{ provider_type: 'saml' }],
    [{ scopes: 'email' }],
    [{ authorization_params: { a: 1 } }],
    [{ enabled: 'yes' }],
  ])('is rejected with fields of the wrong type: %j', async (fields) => {
    const response = await admin('POST', '', oidc(fields));
    expect([response.status, response.json.error_code]).toEqual([400, 'bad_json']);
  });

  it('is accessible to admins only', async () => {
    const ann = await signUpPerson(server);
    const response = await admin('GET', '', undefined, ann.accessToken);
    expect([response.status, response.json.error_code]).toEqual([403, 'not_admin']);
  });

  it('can be disabled by a setting', async () => {
    const closed = await startAuthServer({ GOTRUE_CUSTOM_OAUTH_ENABLED: 'false' }, server);
    const response = await send(closed, { path: '/admin/custom-providers', bearer: service });
    await closed.close();
    expect([response.status, response.json.error_code]).toEqual([404, 'feature_disabled']);
  });
});

describe('a provider with a private address', () => {
  let publicServer: AuthServer;
  beforeAll(async () => {
    publicServer = await startAuthServer({ GREENROOM_CUSTOM_OAUTH_PRIVATE_NETWORK: 'false' }, server);
  });
  afterAll(() => publicServer?.close());

  const create = (body: object) =>
    send(publicServer, { method: 'POST', path: '/admin/custom-providers', bearer: service, body });

  it.each([
    ['an address', (port: number) => `http://127.0.0.1:${port}`],
    ['a name that resolves to one', (port: number) => `http://localhost:${port}`],
    ['an address of a cloud provider', () => 'https://169.254.169.254/latest'],
    ['an IPv6 address', () => 'https://[::1]:1/'],
  ])('is rejected before a connection is opened: %s', async (_, issuerAt) => {
    let connections = 0;
    const target = createServer(() => (connections += 1));
    await new Promise<void>((done) => target.listen(0, '127.0.0.1', done));
    const issuer = issuerAt((target.address() as AddressInfo).port);
    const response = await create(oidc({ issuer }));
    target.close();
    expect(response).toMatchObject({ status: 400, json: { error_code: 'validation_failed' } });
    expect(response.json.msg).toContain('its host is not public');
    expect(connections).toBe(0);
  });

  it('is also rejected at the exchange of the code', async () => {
    expect((await create(oauth())).status).toBe(201);
    const begun = await fetch(`${publicServer.url}/authorize?provider=custom:plain`, { redirect: 'manual' });
    const { location } = await followRedirects(
      `${begun.headers.get('location')}&login_hint=${newPerson().sub}`,
      CALLBACK,
    );
    const back = await fetch(`${publicServer.url}/callback${new URL(location).search}`, {
      redirect: 'manual',
    });
    expect(back.headers.get('location')).toContain('error=server_error');
  });
});
