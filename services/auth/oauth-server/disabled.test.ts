/** Without the setting, the authorization server is disabled for all callers. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { serviceOf } from '../testing/admin.ts';
import { type AuthServer, startAuthServer } from '../testing/auth-server.ts';
import { signUpPerson } from '../testing/people.ts';
import { play, type Scenario, send } from '../testing/scenario.ts';

const tokens: Record<string, string> = {};
let server: AuthServer;
beforeAll(async () => {
  server = await startAuthServer();
  tokens.ann = (await signUpPerson(server)).accessToken;
  tokens.service = (await serviceOf(server)).key;
});
afterAll(() => server.close());

const id = randomUUID();
const CALLS: [method: Scenario['method'], path: string, as?: string][] = [
  ['GET', '/.well-known/oauth-authorization-server'],
  ['GET', `/oauth/authorize?client_id=${id}&redirect_uri=https://app.example`],
  ['GET', '/oauth/authorizations/x', 'ann'],
  ['POST', '/oauth/authorizations/x/consent', 'ann'],
  ['POST', '/oauth/token'],
  ['GET', '/oauth/userinfo', 'ann'],
  ['POST', '/oauth/userinfo', 'ann'],
  ['POST', '/oauth/clients/register'],
  ['GET', '/user/oauth/grants', 'ann'],
  ['DELETE', `/user/oauth/grants?client_id=${id}`, 'ann'],
  ['GET', '/admin/oauth/clients', 'service'],
  ['POST', '/admin/oauth/clients', 'service'],
  ['GET', `/admin/oauth/clients/${id}`, 'service'],
  ['PUT', `/admin/oauth/clients/${id}`, 'service'],
  ['DELETE', `/admin/oauth/clients/${id}`, 'service'],
  ['POST', `/admin/oauth/clients/${id}/regenerate_secret`, 'service'],
];

it.each(CALLS)('responds to %s %s with feature_disabled', async (method = 'GET', path, as = '') => {
  const body = method === 'GET' ? {} : { body: {} };
  const name = `${method} ${path}`;
  await play(
    server,
    { name, method, path, as, status: 404, contains: ['feature_disabled'], ...body },
    tokens,
  );
});

it('is not advertised for registration in the discovery document', async () => {
  const { json } = await send(server, { path: '/.well-known/openid-configuration' });
  expect(json).not.toHaveProperty('registration_endpoint');
});
