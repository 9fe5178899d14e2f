/** SSO from the sign-in request to the app, with a real identity provider. */
import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AuthServer, startAuthServer } from '../../testing/auth-server.ts';
import { claimsOf, newEmail, signUpPerson } from '../../testing/people.ts';
import { play, type Scenario, send } from '../../testing/scenario.ts';
import {
  ACS_URL,
  begin,
  ENTITY_ID,
  registerIdentityProvider,
  samlEnv,
  signInAt,
  submit,
  userOf,
  visit,
} from '../../testing/single-sign-on.ts';

let server: AuthServer;
let corp: Awaited<ReturnType<typeof registerIdentityProvider>>;
beforeAll(async () => {
  server = await startAuthServer(samlEnv({ GOTRUE_URI_ALLOW_LIST: 'https://app.example/**' }));
  corp = await registerIdentityProvider(server, { domains: ['corp.example'] });
});
afterAll(async () => {
  await corp.idp.close();
  await server.close();
});

const signIn = (responseFields: Parameters<typeof signInAt>[2], body?: object) =>
  signInAt(server, corp, responseFields, body);
const exchange = (auth_code: string | undefined, code_verifier: string) =>
  send(server, { method: 'POST', path: '/token?grant_type=pkce', body: { auth_code, code_verifier } });

function newChallenge() {
  const verifier = randomBytes(32).toString('base64url');
  const code_challenge = createHash('sha256').update(verifier).digest('base64url');
  return { verifier, challenge: { code_challenge, code_challenge_method: 's256' } };
}

describe('signing in', () => {
  it('redirects with a session in the fragment', async () => {
    const redirect_to = 'https://app.example/welcome?x=1';
    const done = await signIn({ nameId: 'ann' }, { redirect_to });
    expect(done.status, done.location).toBe(302);
    expect(done.location.startsWith(`${redirect_to}#access_token=`)).toBe(true);
    expect(done.headers.get('cache-control')).toBe('no-store');
    expect(done.fragment).toMatchObject({ token_type: 'bearer', sb: '', expires_in: '3600' });
    const claims = claimsOf(done.fragment.access_token ?? '');
    expect(claims).toMatchObject({
      email: 'ann@corp.example',
      aud: 'authenticated',
      role: 'authenticated',
      aal: 'aal1',
      amr: [{ method: 'sso/saml', timestamp: expect.any(Number), provider: corp.id }],
      app_metadata: { provider: `sso:${corp.id}`, providers: [`sso:${corp.id}`] },
    });
    const user = await userOf(server, done.fragment.access_token);
    expect(user).toMatchObject({
      id: claims.sub,
      email_confirmed_at: expect.any(String),
      identities: [{ id: 'ann', provider: `sso:${corp.id}`, email: 'ann@corp.example' }],
      user_metadata: { iss: corp.idp.entityId, sub: 'ann', email: 'ann@corp.example', email_verified: true },
    });
    const [row] = await server.database.admin.query({
      text: 'select is_sso_user, encrypted_password from auth.users where id = $1',
      values: [user.id],
    });
    expect(row).toEqual({ is_sso_user: true, encrypted_password: null });
  });

  it('keeps the provider in claims after a refresh', async () => {
    const { fragment } = await signIn({ nameId: 'ref' });
    const body = { refresh_token: fragment.refresh_token };
    const { json } = await send(server, { method: 'POST', path: '/token?grant_type=refresh_token', body });
    expect(claimsOf(json.access_token).amr).toMatchObject([{ method: 'sso/saml', provider: corp.id }]);
  });

  it('redirects with a code under PKCE that works once and only with its verifier', async () => {
    const { verifier, challenge } = newChallenge();
    const sessionNotOnOrAfter = new Date(Date.now() + 7_200_000);
    const done = await signIn({ nameId: 'pia', sessionNotOnOrAfter }, challenge);
    expect([done.status, Object.keys(done.query), done.fragment]).toEqual([302, ['code'], {}]);
    expect((await exchange(done.query.code, 'wrong')).json.error_code).toBe('bad_code_verifier');
    const { status, json } = await exchange(done.query.code, verifier);
    expect(status).toBe(200);
    expect(claimsOf(json.access_token).amr).toMatchObject([{ method: 'sso/saml', provider: corp.id }]);
    expect((await exchange(done.query.code, verifier)).json.error_code).toBe('flow_state_not_found');
    const [session] = await server.database.admin.query({
      text: 'select not_after from auth.sessions where user_id = $1',
      values: [json.user.id],
    });
    expect(session).toEqual({ not_after: sessionNotOnOrAfter });
  });

  it('may be initiated by the identity provider', async () => {
    const response = await corp.idp.respond(ACS_URL, ENTITY_ID, { nameId: 'ida' });
    const form = new URLSearchParams({ SAMLResponse: response, RelayState: 'https://app.example/x' });
    const done = await submit(server, form);
    expect(done.location).toMatch(/^https:\/\/app\.example\/x#access_token=/);
  });

  it.each(['', 'https://evil.example/'])('redirects to the site for RelayState "%s"', async (RelayState) => {
    const SAMLResponse = await corp.idp.respond(ACS_URL, ENTITY_ID, { nameId: 'ida' });
    const done = await submit(server, new URLSearchParams({ SAMLResponse, RelayState }));
    expect(done.location).toMatch(/^http:\/\/localhost:3000\/?#access_token=/);
  });

  it.each(['response', 'both'] as const)('accepts a signature of the %s', async (signs) => {
    expect((await signIn({ signs })).status).toBe(302);
  });

  it('finds the user again and updates their profile', async () => {
    const first = await signIn({ nameId: 'rob', attributes: { email: 'rob@corp.example' } });
    const again = await signIn({ nameId: 'rob', attributes: { email: 'robert@corp.example' } });
    const [one, two] = [
      await userOf(server, first.fragment.access_token),
      await userOf(server, again.fragment.access_token),
    ];
    expect(two).toMatchObject({ id: one.id, email: 'robert@corp.example' });
    expect(two.identities).toMatchObject([{ id: 'rob', email: 'robert@corp.example' }]);
  });

  it('finds the user by address if the provider has changed the name id', async () => {
    const attributes = { email: newEmail() };
    const first = await signIn({ nameId: 'old-name', attributes });
    const again = await signIn({ nameId: 'new-name', attributes });
    const user = await userOf(server, again.fragment.access_token);
    expect(user.id).toBe(claimsOf(first.fragment.access_token ?? '').sub);
    expect(user.identities.map(({ id }: { id: string }) => id).sort()).toEqual(['new-name', 'old-name']);
  });

  it('never matches an account of another kind with the same address', async () => {
    const ann = await signUpPerson(server);
    const other = await registerIdentityProvider(server);
    const attributes = { email: ann.email };
    const [first, second] = [
      await signIn({ nameId: 'x1', attributes }),
      await signInAt(server, other, { attributes }),
    ];
    const ids = [first, second].map(({ fragment }) => claimsOf(fragment.access_token ?? '').sub);
    expect(new Set([ann.id, ...ids]).size).toBe(3);
    expect((await userOf(server, ann.accessToken)).identities).toHaveLength(1);
    await other.idp.close();
  });

  it('creates one user for concurrent first sign-ins', async () => {
    corp.idp.responseFields = { nameId: 'twin', attributes: { email: newEmail() } };
    const forms = await Promise.all(
      Array.from({ length: 5 }, async () => visit(await begin(server, { provider_id: corp.id }))),
    );
    const done = await Promise.all(forms.map((form) => submit(server, form)));
    const ids = new Set(
      done.map(({ fragment, location }) =>
        fragment.access_token ? claimsOf(fragment.access_token).sub : location,
      ),
    );
    expect([...ids]).toHaveLength(1);
  });

  it('ends the session when the provider requires', async () => {
    const sessionNotOnOrAfter = new Date(Date.now() + 1500);
    const { fragment } = await signIn({ nameId: 'short', sessionNotOnOrAfter });
    await new Promise((done) => setTimeout(done, 1600));
    const body = { refresh_token: fragment.refresh_token };
    const { json } = await send(server, { method: 'POST', path: '/token?grant_type=refresh_token', body });
    expect(json.error_code).toBe('session_expired');
  });

  it('writes audit log entries', async () => {
    const { fragment } = await signIn({ nameId: 'logged', attributes: { email: newEmail() } });
    const rows = await server.database.admin.query<{ payload: object }>({
      text: `select payload from auth.audit_log_entries where payload ->> 'actor_id' = $1 order by payload ->> 'action'`,
      values: [claimsOf(fragment.access_token ?? '').sub],
    });
    const expected = { actor_via_sso: true, traits: { provider: `sso:${corp.id}` } };
    expect(rows.map(({ payload }) => payload)).toMatchObject([
      { action: 'login', ...expected },
      { action: 'user_signedup', ...expected },
    ]);
  });
});

describe('POST /sso', () => {
  it('redirects by domain, ignoring case', async () => {
    const body = JSON.stringify({ domain: 'CORP.example' });
    const response = await fetch(`${server.url}/sso`, { method: 'POST', redirect: 'manual', body });
    expect(response.status).toBe(303);
    const url = new URL(response.headers.get('location') ?? '');
    expect([...url.searchParams.keys()]).toEqual([
      'tenant',
      'SAMLRequest',
      'RelayState',
      'SigAlg',
      'Signature',
    ]);
    expect((await submit(server, await visit(url.href))).status).toBe(302);
  });

  it('requests the configured name id format', async () => {
    await visit(await begin(server, { provider_id: corp.id }));
    expect(corp.idp.lastRequest).toContain('nameid-format:persistent');
    expect(corp.idp.lastRequest).not.toContain('RequestedAuthnContext');
    const name_id_format = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';
    const other = await registerIdentityProvider(server, { name_id_format });
    await visit(await begin(server, { provider_id: other.id }));
    expect(other.idp.lastRequest).toContain(name_id_format);
    await other.idp.close();
  });

  it('deletes abandoned sign-ins', async () => {
    const { challenge } = newChallenge();
    await begin(server, { provider_id: corp.id, ...challenge });
    const count = async () => {
      const [row] = await server.database.admin.query<{ states: number; flows: number }>({
        text: `select (select count(*)::int from auth.saml_relay_states) as states,
          (select count(*)::int from auth.flow_state) as flows`,
      });
      return row;
    };
    for (const table of ['saml_relay_states', 'flow_state']) {
      await server.database.admin.query({
        text: `update auth.${table} set created_at = now() - interval '2 hours'`,
      });
    }
    await begin(server, { provider_id: corp.id });
    expect(await count()).toEqual({ states: 1, flows: 0 });
  });

  it.each<Scenario>([
    {
      name: 'neither a domain nor an id',
      path: '/sso',
      body: {},
      status: 400,
      contains: ['"validation_failed"'],
    },
    {
      name: 'both a domain and an id',
      path: '/sso',
      body: { domain: 'x.co', provider_id: '11111111-1111-4111-8111-111111111111' },
      status: 400,
      contains: ['Only one of'],
    },
    {
      name: 'a malformed id',
      path: '/sso',
      body: { provider_id: 'x' },
      status: 400,
      contains: ['"bad_json"'],
    },
    { name: 'nothing', path: '/sso', status: 400, contains: ['"bad_json"'] },
    {
      name: 'an unknown domain',
      path: '/sso',
      body: { domain: 'x.co' },
      status: 404,
      contains: ['"sso_provider_not_found"'],
    },
    {
      name: 'an unknown provider',
      path: '/sso',
      body: { provider_id: '11111111-1111-4111-8111-111111111111' },
      status: 404,
      contains: ['"sso_provider_not_found"'],
    },
    {
      name: 'incomplete PKCE parameters',
      path: '/sso',
      body: { domain: 'corp.example', code_challenge: 'x'.repeat(43) },
      status: 400,
      contains: ['"validation_failed"'],
    },
  ])('rejects $name', async (scenario) => {
    await play(server, { ...scenario, method: 'POST' });
  });
});

it.each(['/sso', '/sso/saml/acs'])('%s is rate-limited', async (path) => {
  const limits = { GOTRUE_RATE_LIMIT_SSO: '0', GOTRUE_SAML_RATE_LIMIT_ASSERTION: '0' };
  const limited = await startAuthServer(samlEnv({ GOTRUE_RATE_LIMIT_HEADER: 'x-client', ...limits }), server);
  const call = () =>
    fetch(limited.url + path, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'x-client': 'ann' },
      body: '{}',
    });
  for (let index = 0; index < 30; index++) expect((await call()).status).not.toBe(429);
  const refused = await call();
  expect([refused.status, (await refused.json()).error_code]).toEqual([429, 'over_request_rate_limit']);
  await limited.close();
});

describe('metadata of the service', () => {
  it('are XML with both URLs and the certificate', async () => {
    const { status, text, headers } = await send(server, { path: '/sso/saml/metadata' });
    expect([status, headers.get('content-type')]).toEqual([200, 'application/xml; charset=utf-8']);
    expect(headers.get('content-disposition')).toBeNull();
    for (const part of [
      `entityID="${ENTITY_ID}"`,
      `Location="${ACS_URL}"`,
      'X509Certificate',
      'use="signing"',
    ]) {
      expect(text).toContain(part);
    }
    expect(text).not.toContain('use="encryption"');
    expect((await send(server, { path: '/sso/saml/metadata' })).text).toBe(text);
  });

  it('are a file with an expiry if downloaded', async () => {
    const { text, headers } = await send(server, { path: '/sso/saml/metadata?download=true' });
    expect(headers.get('content-disposition')).toBe('attachment; filename="metadata.xml"');
    expect(text).toMatch(/<EntityDescriptor validUntil="20\d\d-/);
  });
});
