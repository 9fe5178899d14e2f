/** Sign-ins with wrong passwords, which cost a bcrypt hash each. */
import type { Attack, AttackContext } from '../../attacker/attack.ts';
import { apiHeaders, flood } from '../../attacker/http.ts';

const PATH = '/auth/v1/token?grant_type=password';

/** Signs in with wrong passwords from 20 sockets. */
export const signIn20: Attack = {
  name: 'auth/sign-in-20',
  description: 'wrong passwords for many addresses, 20 requests at once',
  cost: 'a bcrypt hash per request, on the threads that every password check needs',
  run: (context) => guessPasswords(context, 20),
};

/** Signs in with wrong passwords from 200 sockets. */
export const signIn200: Attack = {
  ...signIn20,
  name: 'auth/sign-in-200',
  description: 'wrong passwords for many addresses, 200 requests at once',
  run: (context) => guessPasswords(context, 200),
};

/** Signs in with the right password, which limits of wrong guesses do not count. */
export const signInRight: Attack = {
  ...signIn20,
  name: 'auth/sign-in-right',
  description: 'the right password of an account of the attacker, 50 requests at once',
  cost: 'a bcrypt hash and a session per request',
  run: (context) => {
    const body = JSON.stringify({ email: context.accounts[0]?.email, password: 'correct horse' });
    return flood(context, {
      sockets: 50,
      request: () => ({ path: PATH, headers: apiHeaders(context), body }),
    });
  },
};

function guessPasswords(context: AttackContext, sockets: number): Promise<void> {
  const headers = apiHeaders(context);
  return flood(context, {
    sockets,
    request: (index) => ({
      path: PATH,
      headers,
      body: JSON.stringify({ email: `unknown${index % 1000}@example.org`, password: 'wrong horse' }),
    }),
  });
}
