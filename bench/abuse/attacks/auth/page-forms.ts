/** Submits the form of the sign-in page, for which the server itself calls the authentication service. */
import type { Attack } from '../../attacker/attack.ts';
import { flood } from '../../attacker/http.ts';

/** Submits wrong passwords. */
export const pageSignIns: Attack = {
  name: 'auth/page-sign-in',
  description: 'wrong passwords in the form of the sign-in page, 20 requests at once',
  cost: 'a bcrypt hash and a rendered page per request',
  run: (context) => {
    const headers = {
      origin: 'https://greenroom.example',
      'content-type': 'application/x-www-form-urlencoded',
    };
    return flood(context, {
      sockets: 20,
      request: (index) => ({
        path: '/login',
        headers,
        body: new URLSearchParams({
          email: `unknown${index}@example.org`,
          password: 'wrong horse',
        }).toString(),
      }),
    });
  },
};
