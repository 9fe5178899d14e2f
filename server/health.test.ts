/** `/health` under many requests. */
import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { registerHealth } from './health.ts';

const RELEASE = { version: '1.2.3', schema: { auth: '0001_auth' } };

it('checks a part once for all requests that wait for it', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let checks = 0;
  const server = Fastify();
  registerHealth(
    server,
    {
      database: () => {
        checks += 1;
        return promise;
      },
    },
    RELEASE,
  );
  await server.ready();
  const requests = Array.from({ length: 20 }, () => server.inject('/health'));
  setTimeout(resolve, 50);
  const responses = await Promise.all(requests);
  expect(responses.map(({ statusCode }) => statusCode)).toEqual(Array.from({ length: 20 }, () => 200));
  expect(checks).toBe(1);
  await server.inject('/health');
  expect(checks).toBe(2);
  await server.close();
});

it.each([
  ['/health', false, 200, { status: 'ok', ...RELEASE, parts: { database: 'ok' } }],
  ['/health/ready', false, 200, { status: 'ok', ...RELEASE, parts: { database: 'ok' } }],
  ['/health/live', false, 200, { status: 'ok', version: '1.2.3' }],
  ['/health', true, 503, { status: 'unavailable', ...RELEASE, parts: { database: 'unavailable' } }],
  ['/health/ready', true, 503, { status: 'unavailable', ...RELEASE, parts: { database: 'unavailable' } }],
  ['/health/live', true, 200, { status: 'ok', version: '1.2.3' }],
])('%s responds with $2 (failing part: $1)', async (path, fails, status, body) => {
  const server = Fastify();
  const check = async () => {
    if (fails) throw new Error('unreachable');
  };
  registerHealth(server, { database: check }, RELEASE);
  const response = await server.inject(path);
  expect([response.statusCode, response.json()]).toEqual([status, body]);
  expect(response.headers['cache-control']).toBe('no-store');
  await server.close();
});
