/** Auth operations: signs in with a password, refreshes a session, and reads the user's account. */
import type { SendRequest } from './http-client.ts';
import type { ClientsInput, Person } from './input.ts';
import type { Operation } from './operation.ts';

const TOKEN_PATH = '/auth/v1/token?grant_type=';

/** Returns the operations. Sign-ins are a separate column, because hashing a password takes longer than all others. */
export function authOperations({ anonKey, password }: ClientsInput, send: SendRequest): Operation[] {
  const headers = { apikey: anonKey };
  const signIn = ({ address, email }: Person) =>
    send({ address, path: `${TOKEN_PATH}password`, headers, body: { email, password } });
  const renew = async (person: Person, grant: string, body: object) => {
    const { text } = await send({ address: person.address, path: TOKEN_PATH + grant, headers, body });
    const session = JSON.parse(text) as { access_token: string; refresh_token: string };
    person.accessToken = session.access_token;
    person.refreshToken = session.refresh_token;
  };
  const refresh = (person: Person) => {
    const { email, refreshToken } = person;
    return renew(person, 'refresh_token', { refresh_token: refreshToken }).catch((error) => {
      // A late response may have consumed the token. A new session prevents this failure in the next window.
      void renew(person, 'password', { email, password }).catch(() => undefined);
      throw error;
    });
  };
  const readUser = ({ address, accessToken }: Person) =>
    send({ address, path: '/auth/v1/user', headers: { ...headers, authorization: `Bearer ${accessToken}` } });
  return [
    { service: 'sign-in', name: 'sign in', perSecond: 1, run: signIn },
    { service: 'auth', name: 'refresh', perSecond: 2, run: refresh },
    { service: 'auth', name: 'read user', perSecond: 3, run: readUser },
  ];
}
