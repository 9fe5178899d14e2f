/** Consent: the official client's `auth.oauth` as the site's page uses it, and callers who may not decide. */
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addFactor, elevateSession } from '../testing/admin.ts';
import {
  type App,
  CALLBACK,
  decide,
  getAuthorization,
  getCode,
  newApp,
  requestAuthorization,
  signInTo,
  startOAuthServer,
} from '../testing/oauth.ts';
import { type Person, signInPerson, signUpPerson } from '../testing/people.ts';
import { send } from '../testing/scenario.ts';

let server: Awaited<ReturnType<typeof startOAuthServer>>;
let ann: Person;
let bob: Person;
beforeAll(async () => {
  server = await startOAuthServer({ GOTRUE_URI_ALLOW_LIST: 'https://*.room.example' });
  [ann, bob] = [await signUpPerson(server), await signUpPerson(server)];
});
afterAll(() => server.close());

async function clientOf({ email }: Person): Promise<SupabaseClient> {
  const options = { auth: { persistSession: false, autoRefreshToken: false } };
  const client = createClient(server.url.replace('/auth/v1', ''), 'anon', options);
  const { accessToken, refreshToken } = await signInPerson(server, email);
  await client.auth.setSession({ access_token: accessToken, refresh_token: refreshToken });
  return client;
}

const paramsOf = (url: string | undefined) => Object.fromEntries(new URL(url ?? '').searchParams);

describe('the official client', () => {
  it('shows a request, approves it, and skips the consent the next time', async () => {
    const app = await newApp(server, {
      client_name: 'Notes',
      client_uri: 'https://app.example/',
      logo_uri: 'https://app.example/logo.svg',
    });
    const { oauth } = (await clientOf(ann)).auth;
    const id = await requestAuthorization(server, app, { state: 's1' });
    const { data, error } = await oauth.getAuthorizationDetails(id);
    expect(error).toBeNull();
    expect(data).toEqual({
      authorization_id: id,
      redirect_uri: CALLBACK,
      client: {
        id: app.id,
        name: 'Notes',
        uri: 'https://app.example/',
        logo_uri: 'https://app.example/logo.svg',
      },
      user: { id: ann.id, email: ann.email },
      scope: 'openid email',
    });
    const approved = await oauth.approveAuthorization(id, { skipBrowserRedirect: true });
    expect(approved.data?.redirect_url.startsWith(`${CALLBACK}?`)).toBe(true);
    expect(paramsOf(approved.data?.redirect_url)).toEqual({
      code: expect.any(String),
      state: 's1',
      iss: server.url,
    });
    const again = await oauth.getAuthorizationDetails(
      await requestAuthorization(server, app, { scope: 'email' }),
    );
    expect(again.data).toEqual({ redirect_url: expect.stringContaining('code=') });
    const more = await oauth.getAuthorizationDetails(
      await requestAuthorization(server, app, { scope: 'email phone' }),
    );
    expect(more.data).toMatchObject({ scope: 'email phone' });
  });

  it('denies', async () => {
    const { oauth } = (await clientOf(ann)).auth;
    const id = await requestAuthorization(server, await newApp(server), { state: 's2' });
    await oauth.getAuthorizationDetails(id);
    const { data } = await oauth.denyAuthorization(id, { skipBrowserRedirect: true });
    expect(paramsOf(data?.redirect_url)).toEqual({
      error: 'access_denied',
      error_description: 'User denied the request',
      state: 's2',
      iss: server.url,
    });
    const again = await oauth.approveAuthorization(id);
    expect([again.error?.status, again.error?.code]).toEqual([400, 'validation_failed']);
  });

  it('lists grants and revokes them', async () => {
    const app = await newApp(server, { client_name: 'Listed' });
    const carl = await signUpPerson(server);
    const { oauth } = (await clientOf(carl)).auth;
    expect((await oauth.listGrants()).data).toEqual([]);
    await getCode(server, app, carl, { scope: 'email' });
    await getCode(server, app, carl, { scope: 'openid phone' });
    const grant = { client: { id: app.id, name: 'Listed' }, granted_at: expect.any(String) };
    expect((await oauth.listGrants()).data).toEqual([{ ...grant, scopes: ['email', 'openid', 'phone'] }]);
    expect(await oauth.revokeGrant({ clientId: app.id })).toEqual({ data: {}, error: null });
    expect((await oauth.listGrants()).data).toEqual([]);
    expect((await oauth.revokeGrant({ clientId: app.id })).error?.code).toBe('oauth_consent_not_found');
    // A revoked consent is not remembered: the user has to consent to all scopes again.
    await getCode(server, app, carl, { scope: 'profile' });
    expect((await oauth.listGrants()).data).toEqual([{ ...grant, scopes: ['profile'] }]);
  });

  it.each(['', 'x', '00000000-0000-0000-0000-00000000000g'])('rejects client id %j', async (clientId) => {
    const { error } = await (await clientOf(bob)).auth.oauth.revokeGrant({ clientId });
    expect([error?.status, error?.code]).toEqual([400, 'validation_failed']);
  });
});

describe('rejects a decision', () => {
  let app: App;
  beforeEach(async () => {
    app = await newApp(server);
  });

  it('by a user who has not opened the request', async () => {
    const { status, json } = await decide(server, await requestAuthorization(server, app), ann);
    expect([status, json.error_code]).toEqual([404, 'oauth_authorization_not_found']);
  });

  it('on the request of another user', async () => {
    const id = await requestAuthorization(server, app);
    await getAuthorization(server, id, ann);
    for (const response of [await getAuthorization(server, id, bob), await decide(server, id, bob)]) {
      expect([response.status, response.json.error_code]).toEqual([404, 'oauth_authorization_not_found']);
    }
    expect((await decide(server, id, ann)).status).toBe(200);
  });

  it('after the first one, also concurrently', async () => {
    const id = await requestAuthorization(server, app);
    await getAuthorization(server, id, ann);
    const responses = await Promise.all(Array.from({ length: 8 }, () => decide(server, id, ann)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 400)).toHaveLength(7);
  });

  it('after the request has expired', async () => {
    const id = await requestAuthorization(server, app);
    await getAuthorization(server, id, ann);
    const text = `update auth.oauth_authorizations set created_at = now() - interval '1 hour', expires_at = now()
      where authorization_id = $1`;
    await server.database.admin.query({ text, values: [id] });
    for (const response of [await decide(server, id, ann), await getAuthorization(server, id, ann)]) {
      expect(response.status).not.toBe(200);
    }
    const [row] = await server.database.admin.query<{ status: string }>({
      text: 'select status::text from auth.oauth_authorizations where authorization_id = $1',
      values: [id],
    });
    expect(row?.status).toBe('expired');
  });

  it('if the redirect URI is no longer registered', async () => {
    const id = await requestAuthorization(server, app);
    await getAuthorization(server, id, ann);
    const body = { redirect_uris: ['https://app.example/elsewhere'] };
    await server.admin('PUT', `/admin/oauth/clients/${app.id}`, body);
    expect((await decide(server, id, ann)).status).toBe(404);
  });

  it.each(['x', '%00', 'a'.repeat(65), '..%2F..', "'"])('on request %j', async (id) => {
    expect((await getAuthorization(server, id, ann)).status).toBe(404);
    expect((await decide(server, id, ann)).status).toBe(404);
  });

  it.each([{}, { action: '' }, { action: 'maybe' }, { action: 1 }, 'x'])('with body %j', async (body) => {
    const id = await requestAuthorization(server, app);
    await getAuthorization(server, id, ann);
    const path = `/oauth/authorizations/${id}/consent`;
    expect((await send(server, { method: 'POST', path, bearer: ann.accessToken, body })).status).toBe(400);
  });

  it.each([
    ['http://127.0.0.1:54321', 200],
    ['https://a.room.example', 200],
    ['https://evil.test', 400],
    ['null', 400],
  ])('by origin, %s: %d', async (origin, status) => {
    const id = await requestAuthorization(server, app);
    const [bearer, headers] = [ann.accessToken, { origin }];
    expect((await send(server, { path: `/oauth/authorizations/${id}`, bearer, headers })).status).toBe(
      status,
    );
    await getAuthorization(server, id, ann);
    const path = `/oauth/authorizations/${id}/consent`;
    const body = { action: 'approve' };
    expect((await send(server, { method: 'POST', path, bearer, headers, body })).status).toBe(status);
  });

  it('with a token of an application', async () => {
    const { access_token: accessToken } = await signInTo(server, app, ann);
    const id = await requestAuthorization(server, await newApp(server));
    for (const response of [
      await getAuthorization(server, id, { ...ann, accessToken }),
      await decide(server, id, { ...ann, accessToken }),
      await send(server, { path: '/user/oauth/grants', bearer: accessToken }),
    ]) {
      expect([response.status, response.json.error_code]).toEqual([403, 'no_authorization']);
    }
  });

  it("without the user's second factor", async () => {
    const carl = await signUpPerson(server);
    // With an existing consent, the request would be approved immediately.
    await getCode(server, app, carl);
    const factorId = await addFactor(server, carl.id);
    const id = await requestAuthorization(server, app);
    for (const response of [await getAuthorization(server, id, carl), await decide(server, id, carl)]) {
      expect([response.status, response.json.error_code]).toEqual([403, 'insufficient_aal']);
    }
    await elevateSession(server, carl.sessionId, factorId);
    expect((await getAuthorization(server, id, carl)).json.redirect_url).toContain('code=');
  });

  it('without a token', async () => {
    const id = await requestAuthorization(server, app);
    expect((await send(server, { path: `/oauth/authorizations/${id}` })).status).toBe(401);
  });
});
