/** Sign-ups, with and without an email address. */
import type { Attack } from '../../attacker/attack.ts';
import { apiHeaders, flood } from '../../attacker/http.ts';

const PATH = '/auth/v1/signup';

/** Creates accounts that need no confirmation. */
export const signUpFlood: Attack = {
  name: 'auth/sign-up',
  description: 'new accounts with passwords, 20 requests at once',
  cost: 'a bcrypt hash, an account and a session per request; rows that stay',
  run: (context) =>
    flood(context, {
      sockets: 20,
      request: (index) => ({
        path: PATH,
        headers: apiHeaders(context),
        body: JSON.stringify({
          email: `new-${context.accounts[0]?.userId}-${index}@example.org`,
          password: 'correct horse',
        }),
      }),
    }),
};

/** Creates anonymous accounts. */
export const anonymousFlood: Attack = {
  name: 'auth/anonymous',
  description: 'anonymous accounts, 20 requests at once',
  cost: 'an account and a session per request; rows that stay',
  run: (context) =>
    flood(context, {
      sockets: 20,
      request: () => ({ path: PATH, headers: apiHeaders(context), body: '{"data":{}}' }),
    }),
};
