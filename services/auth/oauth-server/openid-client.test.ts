/** The whole flow with openid-client, a certified client of OpenID Connect. */
import * as client from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type App,
  CALLBACK,
  decide,
  getAuthorization,
  newApp,
  startOAuthServer,
  visit,
} from '../testing/oauth.ts';
import { claimsOf, type Person, signUpProvenPerson } from '../testing/people.ts';

let server: Awaited<ReturnType<typeof startOAuthServer>>;
let ann: Person;
beforeAll(async () => {
  server = await startOAuthServer({ GOTRUE_OAUTH_SERVER_ALLOW_DYNAMIC_REGISTRATION: 'true' });
  ann = await signUpProvenPerson(server);
});
afterAll(() => server.close());

const insecure = { execute: [client.allowInsecureRequests] };

/** Acts as the browser: follows the redirect to the site, opens the request, approves and returns. */
async function throughBrowser(start: URL, person: Person): Promise<URL> {
  const response = await visit(start.href);
  const page = new URL(response.headers.get('location') ?? '');
  expect(`${page.origin}${page.pathname}`).toBe('http://localhost:54321/oauth/consent');
  const id = page.searchParams.get('authorization_id') ?? '';
  const { json } = await getAuthorization(server, id, person);
  const next = 'redirect_url' in json ? json : (await decide(server, id, person)).json;
  return new URL(next.redirect_url);
}

async function signIn(config: client.Configuration, scope: string, person: Person) {
  const verifier = client.randomPKCECodeVerifier();
  const [state, nonce] = [client.randomState(), client.randomNonce()];
  const start = client.buildAuthorizationUrl(config, {
    redirect_uri: CALLBACK,
    scope,
    state,
    nonce,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  });
  const back = await throughBrowser(start, person);
  return client.authorizationCodeGrant(config, back, {
    pkceCodeVerifier: verifier,
    expectedState: state,
    ...(scope.includes('openid') && { expectedNonce: nonce, idTokenExpected: true }),
  });
}

type Setup = [name: string, fields: object, authOf: (app: App) => client.ClientAuth];
const SETUPS: Setup[] = [
  ['by HTTP Basic', {}, ({ secret }) => client.ClientSecretBasic(secret)],
  [
    'by a parameter',
    { token_endpoint_auth_method: 'client_secret_post' },
    ({ secret }) => client.ClientSecretPost(secret),
  ],
  ['as a public client', { client_type: 'public' }, () => client.None()],
];

describe.each(SETUPS)('%s', (_, fields, authOf) => {
  const configure = async () => {
    const app = await newApp(server, fields);
    return client.discovery(new URL(server.url), app.id, undefined, authOf(app), insecure);
  };

  it('signs in, verifies the ID token, reads userinfo and refreshes', async () => {
    const config = await configure();
    const tokens = await signIn(config, 'openid email profile phone', ann);
    expect(tokens.claims()).toMatchObject({
      iss: server.url,
      sub: ann.id,
      aud: config.clientMetadata().client_id,
      email: ann.email,
      email_verified: true,
    });
    expect(claimsOf(tokens.access_token)).toMatchObject({
      sub: ann.id,
      client_id: config.clientMetadata().client_id,
      scope: 'openid email profile phone',
      amr: [{ method: 'oauth_provider/authorization_code' }],
    });
    const info = await client.fetchUserInfo(config, tokens.access_token, ann.id);
    expect(info).toMatchObject({ sub: ann.id, email: ann.email });
    const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '');
    expect(claimsOf(refreshed.access_token)).toMatchObject({
      session_id: claimsOf(tokens.access_token).session_id,
      client_id: config.clientMetadata().client_id,
      scope: 'openid email profile phone',
    });
  });

  it('gets no ID token without openid', async () => {
    const tokens = await signIn(await configure(), 'email', ann);
    expect([tokens.id_token, tokens.claims()]).toEqual([undefined, undefined]);
  });
});

it('registers itself and signs in', async () => {
  const metadata = { client_name: 'Self-made', redirect_uris: [CALLBACK] };
  const config = await client.dynamicClientRegistration(
    new URL(server.url),
    metadata,
    client.ClientSecretBasic(),
    insecure,
  );
  expect(config.clientMetadata()).toMatchObject({
    client_secret_expires_at: 0,
    registration_type: 'dynamic',
  });
  const tokens = await signIn(config, 'openid', ann);
  expect(tokens.claims()?.sub).toBe(ann.id);
});
