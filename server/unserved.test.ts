import { listenForTest } from '@greenroom/testing';
import { expect, it } from 'vitest';
import { registerUnserved, UNSERVED_PREFIXES } from './unserved.ts';

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
      expect([response.status, await response.json()]).toEqual([
        404,
        { code: 'not_found', message: 'No route matches this path' },
      ]);
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
