/** Requests for pages, their files, and the health and metrics endpoints. */
import type { Attack, AttackContext } from '../../attacker/attack.ts';
import { flood } from '../../attacker/http.ts';

/** Requests the home page, which redirects visitors to the sign-in page. */
export const homeFlood: Attack = {
  name: 'http/home',
  description: 'GET / without a session, 50 at once',
  cost: 'event loop: a routed page per request',
  run: (context) => get(context, () => '/'),
};

/** Requests the sign-in page. */
export const loginFlood: Attack = {
  name: 'http/login',
  description: 'GET /login, 50 at once',
  cost: 'event loop: a page rendered by React per request',
  run: (context) => get(context, () => '/login'),
};

/** Requests paths that do not exist. */
export const notFoundFlood: Attack = {
  name: 'http/not-found',
  description: 'paths that do not exist, different each time, 50 at once',
  cost: 'event loop: a rendered page per request; memory, where paths are remembered',
  run: (context) => get(context, (index) => `/missing-${index}/${'x/'.repeat(50)}?${index}`),
};

/** Requests the data of pages. */
export const payloadFlood: Attack = {
  name: 'http/payloads',
  description: '_payload.json of pages, with a new query each time, 50 at once',
  cost: 'event loop: the loaders of a page per request',
  run: (context) =>
    get(context, (index) => `${index % 2 === 0 ? '/login' : ''}/_payload.json?x=${index}&dev`),
};

export const iconFlood: Attack = {
  name: 'http/icons',
  description: 'lists of icons, different each time, 50 at once',
  cost: 'event loop: looking icons up and serializing them',
  run: (context) =>
    get(
      context,
      (index) => `/api/_icons/lucide.json?icons=sun,moon,check,x,menu,user,settings,x${index},y${index}`,
    ),
};

/** Requests the health and metrics endpoints. */
export const operatorFlood: Attack = {
  name: 'http/health',
  description: 'GET /health and GET /metrics, 50 at once',
  cost: 'queries of every service per request, on connections that services need',
  run: (context) => get(context, (index) => (index % 2 === 0 ? '/health' : '/metrics')),
};

/** Sends invalid session cookies. */
export const cookieFlood: Attack = {
  name: 'http/cookies',
  description: 'GET / with invented session cookies of 8 KB, 50 at once',
  cost: 'event loop: decoding cookies; a call of the authentication service per request',
  run: (context) => {
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const token = `${encode({ alg: 'ES256', kid: 'x' })}.${encode({ sub: 'x', exp: 1 })}.${'A'.repeat(86)}`;
    return flood(context, {
      sockets: 50,
      request: (index) => {
        const session = {
          access_token: token,
          refresh_token: `wrong${index}`,
          expires_at: 1,
          text: 'x'.repeat(4000),
        };
        return { path: '/', headers: { cookie: `sb-greenroom-auth-token=base64-${encode(session)}` } };
      },
    });
  },
};

function get(context: AttackContext, path: (index: number) => string): Promise<void> {
  return flood(context, { sockets: 50, request: (index) => ({ path: path(index) }) });
}
