/** `/health` under many requests. */
import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { registerHealth } from './health.ts';

it('checks a part once for all requests that wait for it', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let checks = 0;
  const server = Fastify();
  registerHealth(server, {
    database: () => {
      checks += 1;
      return promise;
    },
  });
  await server.ready();
  const requests = Array.from({ length: 20 }, () => server.inject('/health'));
  setTimeout(resolve, 50);
  const answers = await Promise.all(requests);
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array.from({ length: 20 }, () => 200));
  expect(checks).toBe(1);
  await server.inject('/health');
  expect(checks).toBe(2);
  await server.close();
});
