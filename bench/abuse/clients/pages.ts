/** The sign-in page, the home page of a person who is signed in, and the health check. */
import type { Ask } from './ask.ts';
import type { ClientsInput, Person } from './input.ts';
import type { Operation } from './operation.ts';

/** The operations. */
export function pageOperations({ publicUrl, password }: ClientsInput, ask: Ask): Operation[] {
  const cookies = new Map<Person, string>();
  const readHome = async (person: Person) => {
    const cookie = cookies.get(person) ?? '';
    await ask({ address: person.address, path: '/', headers: { cookie } });
  };
  const signedIn: Person[] = [];
  let next = 0;
  return [
    {
      service: 'pages',
      name: '/login',
      perSecond: 1,
      run: ({ address }) => ask({ address, path: '/login' }),
    },
    {
      service: 'pages',
      name: '/',
      perSecond: 1,
      // Few people sign in to the pages, once each: the page and not the password is what this measures.
      run: async (person) => {
        const guest = signedIn.length < PEOPLE_ON_PAGES ? person : signedIn[next++ % signedIn.length];
        if (guest === undefined) return;
        if (!cookies.has(guest)) {
          cookies.set(guest, await signInToPages(ask, publicUrl, guest, password));
          signedIn.push(guest);
        }
        await readHome(guest);
      },
    },
    {
      service: 'health',
      name: '/health',
      perSecond: 1,
      run: ({ address }) => ask({ address, path: '/health' }),
    },
  ];
}

const PEOPLE_ON_PAGES = 3;

/** Signs in by the form of the page; returns the session's cookies. */
async function signInToPages(
  ask: Ask,
  publicUrl: string,
  { address, email }: Person,
  password: string,
): Promise<string> {
  const { headers } = await ask({
    address,
    path: '/login',
    headers: { origin: publicUrl, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ email, password }).toString(),
    expects: [302],
  });
  return (headers['set-cookie'] ?? []).map((cookie) => cookie.split(';', 1)[0]).join('; ');
}
