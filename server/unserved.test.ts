import { listenForTest } from '@greenroom/testing';
import { expect, it } from 'vitest';
import { registerUnserved, UNSERVED_PREFIXES } from './unserved.ts';

const GRAPHQL_MESSAGE =
  'GraphQL is not available: Greenroom has no pg_graphql. Use the data API at /rest/v1, e.g. with supabase-js.';
const BODIES = {
  '/graphql/v1': { errors: [{ message: GRAPHQL_MESSAGE, extensions: { code: 'not_found' } }] },
  '/pg': { code: 'not_found', message: 'No route matches this path' },
};

it.each(UNSERVED_PREFIXES)('responds to %s with JSON 404 and CORS headers', async (prefix) => {
  const { url } = await listenForTest(async (server) => {
    await registerUnserved(server, []);
    server.all('/*', (_request, reply) => reply.code(415).send('a page'));
  });
  for (const path of [prefix, `${prefix}/`, `${prefix}/a/b?c`]) {
    for (const method of ['GET', 'POST', 'PATCH']) {
      const response = await fetch(url + path, {
        method,
        headers: { origin: 'https://elsewhere.example' },
        ...(method !== 'GET' && { body: new URLSearchParams({ a: 'b' }) }),
      });
      expect([response.status, await response.json()]).toEqual([404, BODIES[prefix]]);
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
    }
  }
  const preflight = await fetch(url + prefix, {
    method: 'OPTIONS',
    headers: { origin: 'https://elsewhere.example', 'access-control-request-method': 'POST' },
  });
  expect(preflight.ok).toBe(true);
  expect((await fetch(`${url}${prefix}x`)).status).toBe(415);
});

it.each([
  ['*/*', 'application/json'],
  ['application/json, application/graphql-response+json', 'application/graphql-response+json'],
])('responds to /graphql/v1 and "Accept: %s" with an error of the type %s', async (accept, type) => {
  const { url } = await listenForTest((server) => registerUnserved(server, []));
  const response = await fetch(`${url}/graphql/v1`, {
    method: 'POST',
    headers: { accept, 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ __typename }' }),
  });
  expect([response.status, response.headers.get('content-type')]).toEqual([404, `${type}; charset=utf-8`]);
  expect((await response.json()).errors[0].message).toBe(GRAPHQL_MESSAGE);
});
