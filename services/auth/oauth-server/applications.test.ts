/** What applications can do with their tokens and codes, and for how long. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serviceOf } from '../testing/admin.ts';
import {
  type App,
  exchange,
  getCode,
  newApp,
  refreshAs,
  signInTo,
  startOAuthServer,
} from '../testing/oauth.ts';
import { claimsOf, PASSWORD, type Person, signUpPerson, signUpProvenPerson } from '../testing/people.ts';
import { type Call, send } from '../testing/scenario.ts';

let server: Awaited<ReturnType<typeof startOAuthServer>>;
let ann: Person;
let app: App;
let tokens: Awaited<ReturnType<typeof signInTo>>;
beforeAll(async () => {
  server = await startOAuthServer({ GOTRUE_SECURITY_MANUAL_LINKING_ENABLED: 'true' });
  ann = await signUpPerson(server);
  app = await newApp(server);
  tokens = await signInTo(server, app, ann);
});
afterAll(() => server.close());

const id = '00000000-0000-4000-8000-000000000000';
const statusOf = async (bearer: string) => (await send(server, { path: '/user', bearer })).status;

describe('an application', () => {
  it.each<[Call['method'], string]>([
    ['PUT', '/user'],
    ['DELETE', '/user'],
    ['GET', '/user/sessions'],
    ['DELETE', `/user/sessions/${id}`],
    ['GET', '/user/export'],
    ['GET', '/reauthenticate'],
    ['POST', '/logout'],
    ['POST', '/logout?scope=others'],
    ['POST', '/factors'],
    ['POST', `/factors/${id}/challenge`],
    ['POST', `/factors/${id}/verify`],
    ['DELETE', `/factors/${id}`],
    ['POST', '/passkeys/registration/options'],
    ['POST', '/passkeys/registration/verify'],
    ['GET', '/passkeys'],
    ['PATCH', `/passkeys/${id}`],
    ['DELETE', `/passkeys/${id}`],
    ['DELETE', `/user/identities/${id}`],
    ['GET', '/user/identities/authorize?provider=github'],
    ['GET', `/oauth/authorizations/${id}`],
    ['POST', `/oauth/authorizations/${id}/consent`],
    ['GET', '/user/oauth/grants'],
    ['DELETE', `/user/oauth/grants?client_id=${id}`],
  ])('cannot manage the account: %s %s', async (method = 'GET', path) => {
    const body = method === 'GET' ? {} : { body: { password: PASSWORD } };
    const { status, json } = await send(server, { method, path, bearer: tokens.access_token, ...body });
    expect([status, json.error_code]).toEqual([403, 'no_authorization']);
  });

  it('cannot use the admin API for an admin', async () => {
    const boss = await signUpPerson(server);
    await server.admin('PUT', `/admin/users/${boss.id}`, { role: 'service_role' });
    const { access_token: bearer } = await signInTo(server, app, boss);
    const { status, json } = await send(server, { path: '/admin/users', bearer });
    expect([status, json.error_code]).toEqual([403, 'not_admin']);
  });
});

describe('a token with client_id and no session', () => {
  it.each<[Call['method'], string]>([
    ['GET', '/user/sessions'],
    ['PUT', '/user'],
    ['POST', '/logout?scope=local'],
  ])('cannot manage the account: %s %s', async (method = 'GET', path) => {
    const { session_id: _, ...claims } = claimsOf(tokens.access_token);
    const bearer = await server.keys.sign(claims);
    const body = method === 'GET' ? {} : { body: { data: {} } };
    const { status, json } = await send(server, { method, path, bearer, ...body });
    expect([status, json.error_code]).toEqual([403, 'no_authorization']);
    expect(await statusOf(ann.accessToken)).toBe(200);
  });

  it('cannot use the admin API', async () => {
    const bearer = await server.keys.sign({ ...(await serviceClaims()), client_id: app.id });
    const { status, json } = await send(server, { path: '/admin/users', bearer });
    expect([status, json.error_code]).toEqual([403, 'not_admin']);
  });

  const serviceClaims = async () => claimsOf((await serviceOf(server)).key);
});

describe('an application', () => {
  it('reads the user and ends only its own session', async () => {
    const { access_token: bearer, refresh_token: token } = await signInTo(server, app, ann);
    expect(await statusOf(bearer)).toBe(200);
    expect((await send(server, { method: 'POST', path: '/logout?scope=local', bearer })).status).toBe(204);
    expect(await statusOf(bearer)).toBe(403);
    expect((await refreshAs(server, app, token)).json.error).toBe('invalid_grant');
    expect(await statusOf(ann.accessToken)).toBe(200);
    expect(await statusOf(tokens.access_token)).toBe(200);
  });

  it.each([
    ['openid', {}],
    ['email', { email: true }],
    ['profile', { name: true, updated_at: true, picture: true, preferred_username: true }],
    ['phone', { phone_number: true }],
  ])('reads only the claims of scope %s', async (scope, names) => {
    const bob = await signUpProvenPerson(server);
    const user_metadata = {
      full_name: 'Bob',
      avatar_url: 'https://x.example/b.png',
      username: 'bob',
      secret: 'x',
    };
    await server.admin('PUT', `/admin/users/${bob.id}`, {
      user_metadata,
      phone: `1${Date.now()}`,
      phone_confirm: true,
    });
    const { access_token: bearer } = await signInTo(server, app, bob, { scope });
    for (const method of ['GET', 'POST'] as const) {
      const { status, json, headers } = await send(server, { method, path: '/oauth/userinfo', bearer });
      expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
      const { sub, email_verified, phone_number_verified, ...claims } = json;
      expect(sub).toBe(bob.id);
      expect(Object.keys(claims).sort()).toEqual(Object.keys(names).sort());
      expect([email_verified, phone_number_verified]).toEqual([
        scope === 'email' ? true : undefined,
        scope === 'phone' ? true : undefined,
      ]);
    }
  });

  it.each<[string, () => string | undefined, string]>([
    ['an empty text', () => undefined, 'Bearer realm="oauth"'],
    ['an invalid token', () => 'x', 'Bearer realm="oauth", error="invalid_token"'],
    ['an ID token', () => tokens.id_token, 'Bearer realm="oauth", error="invalid_token"'],
  ])('that sends %s as a token gets no claims', async (_, bearer, challenge) => {
    const { status, json, headers } = await send(server, { path: '/oauth/userinfo', bearer: bearer() });
    expect([status, json.error, headers.get('www-authenticate')]).toEqual([401, 'invalid_token', challenge]);
    expect(await statusOf(bearer() ?? 'x')).toBe(403);
  });
});

it('userinfo returns only sub for a session of the account itself', async () => {
  const { json } = await send(server, { path: '/oauth/userinfo', bearer: ann.accessToken });
  expect(json).toEqual({ sub: ann.id });
});

describe("revocation of an application's access", () => {
  it("covers a user's sessions and unexchanged codes when they revoke the grant", async () => {
    const [bob, carl] = [await signUpPerson(server), await signUpPerson(server)];
    const [bobs, carls] = [await signInTo(server, app, bob), await signInTo(server, app, carl)];
    const code = await getCode(server, app, bob);
    const path = `/user/oauth/grants?client_id=${app.id}`;
    expect((await send(server, { method: 'DELETE', path, bearer: bob.accessToken })).status).toBe(204);
    expect([await statusOf(bobs.access_token), await statusOf(carls.access_token)]).toEqual([403, 200]);
    expect((await refreshAs(server, app, bobs.refresh_token)).json.error).toBe('invalid_grant');
    expect((await exchange(server, app, code)).json.error).toBe('invalid_grant');
    expect(await statusOf(bob.accessToken)).toBe(200);
  });

  it('covers all users when the client is deleted', async () => {
    const removed = await newApp(server);
    const session = await signInTo(server, removed, ann);
    const code = await getCode(server, removed, ann);
    expect((await server.admin('DELETE', `/admin/oauth/clients/${removed.id}`)).status).toBe(204);
    expect(await statusOf(session.access_token)).toBe(403);
    expect((await refreshAs(server, removed, session.refresh_token)).json.error).toBe('invalid_client');
    expect((await exchange(server, removed, code)).json.error).toBe('invalid_client');
    expect(await statusOf(tokens.access_token)).toBe(200);
  });

  it('covers concurrent code exchanges', async () => {
    for (let round = 0; round < 5; round += 1) {
      const removed = await newApp(server);
      const codes = [await getCode(server, removed, ann), await getCode(server, removed, ann)];
      const responses = await Promise.all([
        ...codes.map((code) => exchange(server, removed, code)),
        server.admin('DELETE', `/admin/oauth/clients/${removed.id}`),
      ]);
      expect(responses.map(({ status }) => status).every((status) => status < 500)).toBe(true);
      const text = 'select id from auth.sessions where oauth_client_id = $1';
      expect(await server.database.admin.query({ text, values: [removed.id] })).toEqual([]);
    }
  });

  it('covers concurrent exchanges while the user revokes the grant', async () => {
    for (let round = 0; round < 5; round += 1) {
      const bob = await signUpPerson(server);
      const codes = [await getCode(server, app, bob), await getCode(server, app, bob)];
      const path = `/user/oauth/grants?client_id=${app.id}`;
      const responses = await Promise.all([
        ...codes.map((code) => exchange(server, app, code)),
        send(server, { method: 'DELETE', path, bearer: bob.accessToken }),
      ]);
      expect(responses.map(({ status }) => status).every((status) => status < 500)).toBe(true);
      const text = 'select id from auth.sessions where user_id = $1 and oauth_client_id = $2';
      expect(await server.database.admin.query({ text, values: [bob.id, app.id] })).toEqual([]);
    }
  });
});

it('a new secret replaces the old one', async () => {
  const own = await newApp(server);
  const { refresh_token: token } = await signInTo(server, own, ann);
  const { json } = await server.admin('POST', `/admin/oauth/clients/${own.id}/regenerate_secret`);
  expect((await refreshAs(server, own, token)).status).toBe(401);
  expect((await refreshAs(server, { ...own, secret: json.client_secret }, token)).status).toBe(200);
});

it('rejects the service key at the userinfo endpoint', async () => {
  const { key } = await serviceOf(server);
  expect((await send(server, { path: '/oauth/userinfo', bearer: key })).status).toBe(401);
});
