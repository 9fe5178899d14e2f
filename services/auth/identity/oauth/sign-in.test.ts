import { createHash, randomUUID } from 'node:crypto';
import {
  CLIENT_ID,
  CLIENT_SECRET,
  type Claims,
  followRedirects,
  type OpenidProvider,
  startOpenidProvider,
} from '@greenroom/testing/openid-provider';
import { createClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addFactor, elevateSession } from '../../testing/admin.ts';
import { type AuthServer, startAuthServer } from '../../testing/auth-server.ts';
import { latestTo, messagesTo, openLink } from '../../testing/mailbox.ts';
import { claimsOf, newEmail, PASSWORD, signUpPerson } from '../../testing/people.ts';
import { send } from '../../testing/scenario.ts';

const API = 'http://127.0.0.1:54321';
const CALLBACK = `${API}/auth/v1/callback`;
const SITE = 'http://localhost:3000';

let openid: OpenidProvider;
/** One server requires confirmation, the other uses autoconfirm. */
let server: AuthServer;
let trusting: AuthServer;
/** With another callback, and without a check of nonces. */
let adapted: AuthServer;
beforeAll(async () => {
  openid = await startOpenidProvider(CALLBACK);
  const env = {
    SITE_URL: SITE,
    GOTRUE_URI_ALLOW_LIST: `${SITE}/**`,
    GOTRUE_SECURITY_MANUAL_LINKING_ENABLED: 'true',
    GOTRUE_EXTERNAL_GOOGLE_ENABLED: 'true',
    GOTRUE_EXTERNAL_GOOGLE_CLIENT_ID: `${CLIENT_ID},native-app`,
    GOTRUE_EXTERNAL_GOOGLE_SECRET: CLIENT_SECRET,
    GOTRUE_EXTERNAL_GOOGLE_URL: openid.issuer,
    GOTRUE_MAILER_NOTIFICATIONS_IDENTITY_LINKED_ENABLED: 'true',
  };
  server = await startAuthServer({ ...env, GOTRUE_MAILER_AUTOCONFIRM: 'false' });
  trusting = await startAuthServer({ ...env, GOTRUE_EXTERNAL_GOOGLE_EMAIL_OPTIONAL: 'true' }, server);
  adapted = await startAuthServer(
    {
      ...env,
      GOTRUE_EXTERNAL_GOOGLE_REDIRECT_URI: 'https://gateway.example/callback',
      GOTRUE_EXTERNAL_GOOGLE_SKIP_NONCE_CHECK: 'true',
    },
    server,
  );
});
afterAll(async () => {
  await adapted?.close();
  await trusting?.close();
  await server?.close();
  await openid?.close();
});

/** A user with an account at the provider. */
function newPerson(claims: Claims = {}): { sub: string; email: string } {
  const sub = randomUUID();
  const email = newEmail();
  openid.users.set(sub, { email, email_verified: true, name: 'Ada Lovelace', ...claims });
  return { sub, email: String(claims.email ?? email) };
}

interface Ending {
  location: string;
  query: Record<string, string>;
  fragment: Record<string, string>;
}

/** Follows a sign-in from this service through the provider and back to the site. */
async function goThrough(
  at: AuthServer,
  sub: string,
  parameters: Record<string, string> = {},
): Promise<Ending> {
  const query = new URLSearchParams({ provider: 'google', login_hint: sub, ...parameters });
  const begun = await fetch(`${at.url}/authorize?${query}`, { redirect: 'manual' });
  expect(begun.status, await begun.text()).toBe(302);
  return returnFromProvider(at, begun.headers.get('location') ?? '');
}

async function returnFromProvider(at: AuthServer, signInPage: string): Promise<Ending> {
  const { location } = await followRedirects(signInPage, CALLBACK);
  return callBack(at, new URL(location).search);
}

async function callBack(at: AuthServer, search: string, init: RequestInit = {}): Promise<Ending> {
  const response = await fetch(`${at.url}/callback${search}`, { redirect: 'manual', ...init });
  const location = response.headers.get('location') ?? '';
  expect(location, `${response.status} ${await response.text()}`).not.toBe('');
  const url = new URL(location);
  return {
    location,
    query: Object.fromEntries(url.searchParams),
    fragment: Object.fromEntries(new URLSearchParams(url.hash.slice(1))),
  };
}

async function userOf(at: AuthServer, { fragment }: Ending) {
  expect(fragment.access_token, JSON.stringify(fragment)).toBeTypeOf('string');
  const response = await send(at, { path: '/user', bearer: fragment.access_token });
  expect(response.status, response.text).toBe(200);
  return response.json;
}

describe('a sign-in at a provider', () => {
  it("creates an account with the profile's claims", async () => {
    const { sub, email } = newPerson({ picture: 'https://example.org/ada.png' });
    const ending = await goThrough(server, sub, { redirect_to: `${SITE}/welcome` });
    expect(ending.location).toMatch(/^http:\/\/localhost:3000\/welcome#/);
    expect(Object.keys(ending.fragment).sort()).toEqual(
      [
        ...['access_token', 'expires_at', 'expires_in', 'provider_refresh_token', 'provider_token'],
        ...['refresh_token', 'sb', 'token_type'],
      ].filter((name) => name !== 'provider_refresh_token'),
    );
    const user = await userOf(server, ending);
    expect(user).toMatchObject({
      email,
      app_metadata: { provider: 'google', providers: ['google'] },
      user_metadata: {
        iss: openid.issuer,
        sub,
        provider_id: sub,
        email,
        email_verified: true,
        phone_verified: false,
        full_name: 'Ada Lovelace',
        avatar_url: 'https://example.org/ada.png',
      },
      identities: [{ provider: 'google', id: sub, email }],
      is_anonymous: false,
    });
    expect(user.email_confirmed_at).toBeTypeOf('string');
    expect(claimsOf(ending.fragment.access_token ?? '').amr).toMatchObject([{ method: 'oauth' }]);
  });

  it('finds the account again and updates its profile', async () => {
    const { sub, email } = newPerson();
    const first = await userOf(server, await goThrough(server, sub));
    openid.users.set(sub, { email, email_verified: true, name: 'Countess of Lovelace' });
    const second = await userOf(server, await goThrough(server, sub));
    expect(second.id).toBe(first.id);
    expect(second.identities).toHaveLength(1);
    expect(second.user_metadata.full_name).toBe('Countess of Lovelace');
  });

  it('redirects with a code under PKCE that the official client exchanges once', async () => {
    const { sub, email } = newPerson();
    const storage = new Map<string, string>();
    const client = createClient(API, 'anon', {
      auth: {
        flowType: 'pkce',
        autoRefreshToken: false,
        storage: {
          getItem: (key) => storage.get(key) ?? null,
          setItem: (key, value) => void storage.set(key, value),
          removeItem: (key) => void storage.delete(key),
        },
      },
      global: {
        fetch: (input, init) => fetch(String(input).replace(`${API}/auth/v1`, server.url), init),
      },
    });
    const { data: begun } = await client.auth.signInWithOAuth({
      provider: 'google',
      options: { redirectTo: `${SITE}/confirm`, queryParams: { login_hint: sub } },
    });
    const start = String(begun.url).replace(`${API}/auth/v1`, server.url);
    const { location } = await followRedirects(start, CALLBACK);
    const { query, fragment } = await callBack(server, new URL(location).search);
    expect(fragment).toEqual({});
    const { data, error } = await client.auth.exchangeCodeForSession(query.code ?? '');
    expect(error).toBeNull();
    expect(data.user?.email).toBe(email);
    expect(data.session?.provider_token).toBeTypeOf('string');
    const again = await send(server, {
      method: 'POST',
      path: '/token?grant_type=pkce',
      body: { auth_code: query.code, code_verifier: 'x'.repeat(43) },
    });
    expect([again.status, again.json.error_code]).toEqual([404, 'flow_state_not_found']);
  });

  it('forwards additional scopes and parameters of the client', async () => {
    const query = new URLSearchParams({
      provider: 'google',
      scopes: 'calendar drive',
      prompt: 'select_account',
      client_id: 'evil',
      redirect_uri: 'https://evil.test',
      state: 'evil',
      apikey: 'secret',
    });
    const response = await fetch(`${server.url}/authorize?${query}`, { redirect: 'manual' });
    const { searchParams } = new URL(response.headers.get('location') ?? '');
    expect(Object.fromEntries(searchParams)).toMatchObject({
      scope: 'openid email profile calendar drive',
      prompt: 'select_account',
      client_id: CLIENT_ID,
      redirect_uri: CALLBACK,
      response_type: 'code',
      code_challenge_method: 'S256',
    });
    expect(searchParams.get('state')).not.toBe('evil');
    expect(searchParams.has('apikey')).toBe(false);
  });

  it('names the configured callback to the provider', async () => {
    const begun = await fetch(`${adapted.url}/authorize?provider=google`, { redirect: 'manual' });
    const { searchParams } = new URL(begun.headers.get('location') ?? '');
    expect(searchParams.get('redirect_uri')).toBe('https://gateway.example/callback');
  });

  it('stores provider tokens encrypted', async () => {
    const { sub } = newPerson();
    const challenge = { code_challenge: 'x'.repeat(43), code_challenge_method: 's256' };
    await goThrough(server, sub, challenge);
    const rows = await server.database.admin.query<{ provider_access_token: string }>({
      text: 'select provider_access_token from auth.flow_state where provider_access_token is not null',
    });
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) expect(row.provider_access_token).toMatch(/^v1\./);
  });
});

describe('the default sign-in page of a provider', () => {
  it.each([
    ['google', 'https://accounts.google.com/o/oauth2/v2/auth'],
    ['apple', 'https://appleid.apple.com/auth/authorize'],
    ['azure', 'https://login.microsoftonline.com/common/oauth2/v2.0/authorize'],
    ['linkedin_oidc', 'https://www.linkedin.com/oauth/v2/authorization'],
    ['slack_oidc', 'https://slack.com/openid/connect/authorize'],
    ['github', 'https://github.com/login/oauth/authorize'],
    ['x', 'https://x.com/i/oauth2/authorize'],
  ])('needs no discovery request for %s', async (name, page) => {
    const prefix = `GOTRUE_EXTERNAL_${name.toUpperCase()}`;
    const env = { [`${prefix}_ENABLED`]: 'true', [`${prefix}_CLIENT_ID`]: 'us', [`${prefix}_SECRET`]: 'x' };
    const other = await startAuthServer(env, server);
    const response = await fetch(`${other.url}/authorize?provider=${name}`, { redirect: 'manual' });
    await other.close();
    const { origin, pathname, searchParams } = new URL(response.headers.get('location') ?? '');
    expect(origin + pathname).toBe(page);
    expect(searchParams.get('client_id')).toBe('us');
  });
});

describe('matching an account', () => {
  it('links the account with the same address if the provider has verified it', async () => {
    const { sub, email } = newPerson();
    const ann = await signUpPerson(trusting, email);
    const user = await userOf(server, await goThrough(server, sub));
    expect(user.id).toBe(ann.id);
    expect(user.app_metadata.providers).toEqual(['email', 'google']);
    expect((await latestTo(server, email)).kind).toBe('identity_linked_notification');
    const [proof] = await server.database.admin.query({
      text: 'select address from auth.proven_addresses where user_id = $1',
      values: [ann.id],
    });
    expect(proof).toEqual({ address: email });
  });

  it('ignores the case of the address', async () => {
    const email = newEmail();
    const { sub } = newPerson({ email: email.toUpperCase() });
    const ann = await signUpPerson(trusting, email);
    expect((await userOf(server, await goThrough(server, sub))).id).toBe(ann.id);
  });

  it('removes the password of an account that was never confirmed', async () => {
    const { sub, email } = newPerson();
    const body = { email, password: PASSWORD, data: { planted: true } };
    await send(server, { method: 'POST', path: '/signup', body });
    const user = await userOf(server, await goThrough(server, sub));
    expect(user.identities.map(({ provider }: { provider: string }) => provider)).toEqual(['google']);
    expect(user.user_metadata.planted).toBeUndefined();
    const signIn = await send(server, { method: 'POST', path: '/token?grant_type=password', body });
    expect(signIn.json.error_code).toBe('invalid_credentials');
  });

  it.each([
    ['with confirmation', () => server],
    ['with autoconfirm', () => trusting],
  ])('creates another account for a taken, unverified address, %s', async (_, at) => {
    const { sub, email } = newPerson({ email_verified: false });
    const ann = await signUpPerson(trusting, email);
    const user = await userOf(at(), await goThrough(at(), sub));
    expect(user.id).not.toBe(ann.id);
    expect(user.email).toBe('');
    expect((await send(at(), { path: '/user', bearer: ann.accessToken })).json.identities).toHaveLength(1);
  });

  it('creates one account for concurrent sign-ins', async () => {
    const { sub, email } = newPerson();
    const endings = await Promise.all(Array.from({ length: 8 }, () => goThrough(server, sub)));
    const users = await Promise.all(endings.map((ending) => userOf(server, ending)));
    expect(new Set(users.map(({ id }) => id)).size).toBe(1);
    const rows = await server.database.admin.query({
      text: 'select id from auth.users where email = $1',
      values: [email],
    });
    expect(rows).toHaveLength(1);
  });
});

describe('an address that the provider has not verified', () => {
  it('must be confirmed by a mail whose link signs in', async () => {
    const { sub, email } = newPerson({ email_verified: false });
    const refused = await goThrough(server, sub);
    expect(refused.query).toMatchObject({
      error: 'access_denied',
      error_code: 'provider_email_needs_verification',
    });
    expect(refused.fragment.error_code).toBe('provider_email_needs_verification');
    // A second sign-in within the interval sends no second mail.
    await goThrough(server, sub);
    expect(await messagesTo(server, email)).toHaveLength(1);
    const { link } = await latestTo(server, email);
    expect(new URL(link ?? '').searchParams.get('redirect_to')).toBe(`${SITE}/`);
    expect((await openLink(server, link ?? '')).fragment.access_token).toBeTypeOf('string');
    expect((await userOf(server, await goThrough(server, sub))).email).toBe(email);
  });

  it('yields a code for the latest PKCE client', async () => {
    const { sub, email } = newPerson({ email_verified: false });
    for (const verifier of ['first', 'last']) {
      const code_challenge = createHash('sha256').update(verifier.repeat(12)).digest('base64url');
      const refused = await goThrough(server, sub, { code_challenge, code_challenge_method: 's256' });
      expect(refused.query.error_code).toBe('provider_email_needs_verification');
    }
    expect(await messagesTo(server, email)).toHaveLength(1);
    const { query, fragment } = await openLink(server, (await latestTo(server, email)).link ?? '');
    expect(fragment.access_token).toBeUndefined();
    const path = '/token?grant_type=pkce';
    const exchange = (verifier: string) =>
      send(server, {
        method: 'POST',
        path,
        body: { auth_code: query.code, code_verifier: verifier.repeat(12) },
      });
    expect((await exchange('first')).json.error_code).toBe('bad_code_verifier');
    const response = await exchange('last');
    expect([response.status, response.json.user?.email], response.text).toEqual([200, email]);
  });

  it('is accepted with autoconfirm', async () => {
    const { sub, email } = newPerson({ email_verified: false });
    expect((await userOf(trusting, await goThrough(trusting, sub))).email).toBe(email);
  });
});

describe('a profile without an address', () => {
  it('is rejected', async () => {
    const { sub } = newPerson({ email: undefined });
    expect((await goThrough(server, sub)).query).toMatchObject({
      error: 'server_error',
      error_description: 'Error getting user email from external provider',
    });
  });

  it('signs in repeatedly if addresses are optional', async () => {
    const { sub } = newPerson({ email: undefined });
    const first = await userOf(trusting, await goThrough(trusting, sub));
    const second = await userOf(trusting, await goThrough(trusting, sub));
    expect(second).toMatchObject({ id: first.id, email: '' });
    await userOf(trusting, await goThrough(trusting, sub));
  });
});

describe('errors', () => {
  it('redirect to the starting page if the user cancels', async () => {
    const { location, query, fragment } = await goThrough(server, 'nobody', { redirect_to: `${SITE}/x` });
    expect(location).toMatch(/^http:\/\/localhost:3000\/x\?/);
    const error = { error: 'access_denied', error_description: 'The user pressed Cancel' };
    expect(query).toMatchObject(error);
    expect(fragment).toMatchObject(error);
  });

  it.each([
    ['no state', ''],
    ['a malformed state', '?state=evil&code=x'],
    ['an unknown state', `?state=${randomUUID()}&code=x`],
  ])('redirect to the site for %s', async (_, search) => {
    const { location, query } = await callBack(server, search);
    expect(location.startsWith(`${SITE}/?`)).toBe(true);
    expect(query).toMatchObject({ error: 'invalid_request', error_code: 'bad_oauth_state' });
  });

  it('reject a second callback of a flow', async () => {
    const { sub } = newPerson();
    const query = new URLSearchParams({ provider: 'google', login_hint: sub });
    const begun = await fetch(`${server.url}/authorize?${query}`, { redirect: 'manual' });
    const { location } = await followRedirects(begun.headers.get('location') ?? '', CALLBACK);
    const { search } = new URL(location);
    const endings = await Promise.all([callBack(server, search), callBack(server, search)]);
    expect(endings.filter(({ fragment }) => fragment.access_token !== undefined)).toHaveLength(1);
    expect(endings.filter(({ query }) => query.error_code === 'bad_oauth_state')).toHaveLength(1);
  });

  it('reject a forged and a missing code', async () => {
    const begin = async () => {
      const begun = await fetch(`${server.url}/authorize?provider=google`, { redirect: 'manual' });
      return new URL(begun.headers.get('location') ?? '').searchParams.get('state');
    };
    const wrong = await callBack(server, `?state=${await begin()}&code=evil`);
    expect(wrong.query).toMatchObject({ error: 'server_error', error_code: 'unexpected_failure' });
    const none = await callBack(server, `?state=${await begin()}`);
    expect(none.query).toMatchObject({ error: 'invalid_request', error_code: 'bad_oauth_callback' });
  });

  it('reject banned users, and new users if sign-up is disabled', async () => {
    const { sub } = newPerson();
    const { id } = await userOf(server, await goThrough(server, sub));
    await server.database.admin.query({
      text: `update auth.users set banned_until = now() + interval '1 day' where id = $1`,
      values: [id],
    });
    expect((await goThrough(server, sub)).query).toMatchObject({
      error: 'access_denied',
      error_code: 'user_banned',
    });
    const closed = await startAuthServer(
      {
        GOTRUE_DISABLE_SIGNUP: 'true',
        GOTRUE_EXTERNAL_GOOGLE_ENABLED: 'true',
        GOTRUE_EXTERNAL_GOOGLE_CLIENT_ID: CLIENT_ID,
        GOTRUE_EXTERNAL_GOOGLE_SECRET: CLIENT_SECRET,
        GOTRUE_EXTERNAL_GOOGLE_URL: openid.issuer,
      },
      server,
    );
    try {
      const refused = await goThrough(closed, newPerson().sub);
      expect(refused.query).toMatchObject({ error: 'access_denied', error_code: 'signup_disabled' });
    } finally {
      await closed.close();
    }
  });

  it('report errors of a posted form', async () => {
    const { sub, email } = newPerson();
    const query = new URLSearchParams({ provider: 'google', login_hint: sub });
    const begun = await fetch(`${server.url}/authorize?${query}`, { redirect: 'manual' });
    const { location } = await followRedirects(begun.headers.get('location') ?? '', CALLBACK);
    const body = new URL(location).searchParams;
    const ending = await callBack(server, '', { method: 'POST', body });
    expect((await userOf(server, ending)).email).toBe(email);
  });
});

describe('an invitation', () => {
  it('is accepted with a provider that returns the invited address', async () => {
    const { sub, email } = newPerson();
    const other = newPerson();
    const service = await server.keys.sign({ role: 'service_role', exp: Date.now() / 1000 + 60 });
    await send(server, { method: 'POST', path: '/invite', bearer: service, body: { email } });
    const { token } = await latestTo(server, email);
    const stranger = await goThrough(server, other.sub, { invite_token: token });
    expect(stranger.query.error_description).toContain('does not match');
    const user = await userOf(server, await goThrough(server, sub, { invite_token: token }));
    expect(user).toMatchObject({ email, app_metadata: { providers: ['google'] } });
    const again = await goThrough(server, newPerson().sub, { invite_token: token });
    expect(again.query.error_code).toBe('invite_not_found');
  });
});

describe('linking', () => {
  async function beginLinking(accessToken: string, sub: string): Promise<string> {
    const response = await send(server, {
      path: `/user/identities/authorize?provider=google&skip_http_redirect=true&login_hint=${sub}`,
      bearer: accessToken,
    });
    expect(response.status, response.text).toBe(200);
    return response.json.url;
  }

  it('links an identity with another address and unlinks it', async () => {
    const { sub, email } = newPerson();
    const ann = await signUpPerson(trusting);
    const ending = await returnFromProvider(server, await beginLinking(ann.accessToken, sub));
    const user = await userOf(server, ending);
    expect(user).toMatchObject({ id: ann.id, email: ann.email });
    const google = user.identities.find(({ provider }: { provider: string }) => provider === 'google');
    expect(google).toMatchObject({ id: sub, email });
    expect((await latestTo(server, ann.email)).kind).toBe('identity_linked_notification');
    const path = `/user/identities/${google.identity_id}`;
    const unlinked = await send(server, { method: 'DELETE', path, bearer: ann.accessToken });
    expect(unlinked.status, unlinked.text).toBe(200);
  });

  it('makes an anonymous user permanent', async () => {
    const { sub, email } = newPerson();
    const open = await startAuthServer({ GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED: 'true' }, server);
    const { json } = await send(open, { method: 'POST', path: '/signup', body: {} });
    await open.close();
    const user = await userOf(
      server,
      await returnFromProvider(server, await beginLinking(json.access_token, sub)),
    );
    expect(user).toMatchObject({ id: json.user.id, email, is_anonymous: false });
  });

  it('rejects an identity of another user', async () => {
    const { sub } = newPerson();
    await goThrough(server, sub);
    const ann = await signUpPerson(trusting);
    const ending = await returnFromProvider(server, await beginLinking(ann.accessToken, sub));
    expect(ending.query).toMatchObject({ error_code: 'identity_already_exists' });
  });
});

describe('ID tokens', () => {
  const grant = (body: object, at = server) =>
    send(at, { method: 'POST', path: '/token?grant_type=id_token', body });
  const claims = () => ({ sub: randomUUID(), email: newEmail(), email_verified: true });
  const HASH_OF_NONCE = '78377b525757b494427f89014f97d79928f3938d14eb51e20fb5dec9834eb304';

  it('sign in, with a nonce and for each client', async () => {
    const person = claims();
    const id_token = await openid.idToken({ ...person, nonce: HASH_OF_NONCE, aud: 'native-app' });
    const { status, json, text } = await grant({ provider: 'google', id_token, nonce: 'nonce' });
    expect(status, text).toBe(200);
    expect(json.user).toMatchObject({ email: person.email, app_metadata: { provider: 'google' } });
    const again = await openid.idToken(person);
    expect((await grant({ provider: 'google', id_token: again })).json.user.id).toBe(json.user.id);
  });

  it('sign in with a nonce that was not sent, if its check is disabled', async () => {
    const id_token = await openid.idToken({ ...claims(), nonce: 'x' });
    const { status, text } = await grant({ provider: 'google', id_token }, adapted);
    expect(status, text).toBe(200);
  });

  it('are linked to the account of the caller', async () => {
    const ann = await signUpPerson(trusting);
    const id_token = await openid.idToken(claims());
    const body = { provider: 'google', id_token, link_identity: true };
    const path = '/token?grant_type=id_token';
    const linked = await send(server, { method: 'POST', path, bearer: ann.accessToken, body });
    expect(linked.json.user).toMatchObject({ id: ann.id, app_metadata: { providers: ['email', 'google'] } });
    expect((await send(server, { method: 'POST', path, body })).status).toBe(401);
  });

  it('are linked only with the second factor if the user has one', async () => {
    const ann = await signUpPerson(trusting);
    const factorId = await addFactor(server, ann.id);
    const id_token = await openid.idToken(claims());
    const body = { provider: 'google', id_token, link_identity: true };
    const bearer = ann.accessToken;
    const token = () => send(server, { method: 'POST', path: '/token?grant_type=id_token', bearer, body });
    const browser = () =>
      send(server, { path: '/user/identities/authorize?provider=google&skip_http_redirect=true', bearer });
    for (const refused of [await token(), await browser()]) {
      expect([refused.status, refused.json.error_code]).toEqual([403, 'insufficient_aal']);
    }
    await elevateSession(server, ann.sessionId, factorId);
    for (const response of [await token(), await browser()]) expect(response.status, response.text).toBe(200);
  });

  it.each<[string, () => Promise<object>, string]>([
    [
      'of another client',
      async () => ({ id_token: await openid.idToken({ ...claims(), aud: 'x' }) }),
      'audience',
    ],
    [
      'of another issuer',
      async () => ({ id_token: await openid.idToken({ ...claims(), iss: 'https://x' }) }),
      'issuer',
    ],
    [
      'that has expired',
      async () => ({ id_token: await openid.idToken({ ...claims(), exp: 1000 }) }),
      'EXPIRED',
    ],
    [
      'without a subject',
      async () => ({ id_token: await openid.idToken({ email: newEmail() }) }),
      'Bad ID token',
    ],
    [
      'with another nonce',
      async () => ({ id_token: await openid.idToken({ ...claims(), nonce: 'x' }), nonce: 'y' }),
      'Nonces mismatch',
    ],
    [
      'with a nonce that was not sent',
      async () => ({ id_token: await openid.idToken({ ...claims(), nonce: 'x' }) }),
      'should either both exist or not',
    ],
    [
      'without the nonce',
      async () => ({ id_token: await openid.idToken(claims()), nonce: 'x' }),
      'should either both exist or not',
    ],
    [
      'with another access token',
      async () => ({ id_token: await openid.idToken({ ...claims(), at_hash: 'x' }), access_token: 'y' }),
      'does not belong',
    ],
    ['that is malformed', async () => ({ id_token: 'x.y.z' }), 'Bad ID token'],
    ['that is missing', async () => ({}), 'id_token required'],
    ['that is too long', async () => ({ id_token: 'x'.repeat(20_000) }), 'too long'],
    [
      'with an invalid signature',
      async () => ({ id_token: (await openid.idToken(claims())).replace(/\.[^.]*$/, '.AAAA') }),
      'Bad ID token',
    ],
  ])('are rejected: one %s', async (_, body, description) => {
    const response = await grant({ provider: 'google', ...(await body()) });
    expect(response.status).toBe(400);
    expect(response.json.error_description).toContain(description);
    expect(response.json.error).toMatch(/^invalid_(request|grant)$/);
  });

  it('are rejected if their provider is disabled', async () => {
    const response = await grant({ provider: 'apple', id_token: await openid.idToken(claims()) });
    expect([response.status, response.json.error_code]).toEqual([400, 'provider_disabled']);
  });

  it('need a confirmation mail for an unverified address', async () => {
    const id_token = await openid.idToken({ ...claims(), email_verified: false });
    const response = await grant({ provider: 'google', id_token });
    expect([response.status, response.json.error_code]).toEqual([422, 'provider_email_needs_verification']);
  });
});
