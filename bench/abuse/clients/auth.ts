/** Signing in with a password, refreshing a session, reading the own account. */
import type { Ask } from './ask.ts';
import type { ClientsInput, Person } from './input.ts';
import type { Operation } from './operation.ts';

const TOKEN_PATH = '/auth/v1/token?grant_type=';

/** The operations. Sign-ins are a column of their own, because hashing a password outlasts everything else. */
export function authOperations({ anonKey, password }: ClientsInput, ask: Ask): Operation[] {
  const headers = { apikey: anonKey };
  const signIn = ({ address, email }: Person) =>
    ask({ address, path: `${TOKEN_PATH}password`, headers, body: { email, password } });
  const renew = async (person: Person, grant: string, body: object) => {
    const { text } = await ask({ address: person.address, path: TOKEN_PATH + grant, headers, body });
    const session = JSON.parse(text) as { access_token: string; refresh_token: string };
    person.accessToken = session.access_token;
    person.refreshToken = session.refresh_token;
  };
  const refresh = (person: Person) => {
    const { email, refreshToken } = person;
    return renew(person, 'refresh_token', { refresh_token: refreshToken }).catch((error) => {
      // A late answer may have used the token up. A new session keeps the next window free of this failure.
      void renew(person, 'password', { email, password }).catch(() => undefined);
      throw error;
    });
  };
  const readUser = ({ address, accessToken }: Person) =>
    ask({ address, path: '/auth/v1/user', headers: { ...headers, authorization: `Bearer ${accessToken}` } });
  return [
    { service: 'sign-in', name: 'sign in', perSecond: 1, run: signIn },
    { service: 'auth', name: 'refresh', perSecond: 2, run: refresh },
    { service: 'auth', name: 'read user', perSecond: 3, run: readUser },
  ];
}
