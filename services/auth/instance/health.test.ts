import { afterAll, beforeAll, expect, it } from 'vitest';
import { type AuthServer, startAuthServer } from '../testing/auth-server.ts';
import { send } from '../testing/scenario.ts';

let server: AuthServer;
beforeAll(async () => {
  server = await startAuthServer();
});
afterAll(() => server.close());

it('returns name and version of the service', async () => {
  const { status, json } = await send(server, { path: '/health' });
  expect([status, json]).toEqual([
    200,
    { name: 'GoTrue', version: expect.stringMatching(/^\d+\.\d+\.\d+$/), description: expect.any(String) },
  ]);
});
