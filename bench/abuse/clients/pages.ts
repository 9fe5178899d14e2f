/** Page operations: requests the sign-in page, the home page as a signed-in user, and the health check. */
import type { SendRequest } from './http-client.ts';
import type { ClientsInput, Person } from './input.ts';
import type { Operation } from './operation.ts';

/** Returns the page operations. */
export function pageOperations({ publicUrl, password }: ClientsInput, send: SendRequest): Operation[] {
  const cookies = new Map<Person, string>();
  const readHome = async (person: Person) => {
    const cookie = cookies.get(person) ?? '';
    await send({ address: person.address, path: '/', headers: { cookie } });
  };
  const signedIn: Person[] = [];
  let next = 0;
  return [
    {
      service: 'pages',
      name: '/login',
      perSecond: 1,
      run: ({ address }) => send({ address, path: '/login' }),
    },
    {
      service: 'pages',
      name: '/',
      perSecond: 1,
      // Only a few users sign in, once each, because this measures the page and not the password hash.
      run: async (person) => {
        const guest = signedIn.length < PEOPLE_ON_PAGES ? person : signedIn[next++ % signedIn.length];
        if (guest === undefined) return;
        if (!cookies.has(guest)) {
          cookies.set(guest, await signInToPages(send, publicUrl, guest, password));
          signedIn.push(guest);
        }
        await readHome(guest);
      },
    },
    {
      service: 'health',
      name: '/health',
      perSecond: 1,
      run: ({ address }) => send({ address, path: '/health' }),
    },
  ];
}

const PEOPLE_ON_PAGES = 3;

/** Signs in with the form of the page. Returns the cookies of the session. */
async function signInToPages(
  send: SendRequest,
  publicUrl: string,
  { address, email }: Person,
  password: string,
): Promise<string> {
  const { headers } = await send({
    address,
    path: '/login',
    headers: { origin: publicUrl, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ email, password }).toString(),
    expects: [302],
  });
  return (headers['set-cookie'] ?? []).map((cookie) => cookie.split(';', 1)[0]).join('; ');
}
