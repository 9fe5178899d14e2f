/** Malicious queries never lead to a status of 5xx. */

import { CLIENT_ID, type OpenidProvider, startOpenidProvider } from '@greenroom/testing/openid-provider';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type AuthServer, startAuthServer } from '../testing/auth-server.ts';

const SITE = 'http://localhost:3000';

let openid: OpenidProvider;
let server: AuthServer;
beforeAll(async () => {
  openid = await startOpenidProvider('http://127.0.0.1:54321/auth/v1/callback');
  server = await startAuthServer({
    SITE_URL: SITE,
    GOTRUE_MAILER_AUTOCONFIRM: 'false',
    GOTRUE_OAUTH_SERVER_ENABLED: 'true',
    GOTRUE_EXTERNAL_GOOGLE_ENABLED: 'true',
    GOTRUE_EXTERNAL_GOOGLE_CLIENT_ID: CLIENT_ID,
    GOTRUE_EXTERNAL_GOOGLE_SECRET: 'x',
    GOTRUE_EXTERNAL_GOOGLE_URL: openid.issuer,
  });
});
afterAll(async () => {
  await server?.close();
  await openid?.close();
});

const AUTHORIZE = '/authorize?provider=google';
const nul = encodeURIComponent(`${SITE}/\0`);

it.each([
  ['GET', `${AUTHORIZE}&redirect_to=${nul}`],
  ['GET', `${AUTHORIZE}&invite_token=%00`],
  ['GET', `${AUTHORIZE}&scopes=%00&login_hint=%00`],
  ['GET', `/authorize?provider=custom:%00`],
  ['GET', `/callback?state=%00&code=%00`],
  ['GET', `/verify?type=signup&token=%00&redirect_to=${nul}`],
  ['GET', `/oauth/authorize?client_id=%00&redirect_uri=%00&state=%00`],
  ['POST', `/magiclink?redirect_to=${nul}`],
  ['POST', `/recover?redirect_to=${nul}`],
  ['POST', `/signup?redirect_to=${nul}`],
])('does not respond with 500 to %s %s', async (method, path) => {
  const body = { email: `${Math.random()}@example.org`, password: 'correct horse' };
  const response = await fetch(server.url + path, {
    method,
    redirect: 'manual',
    ...(method === 'POST' && { body: JSON.stringify(body) }),
  });
  expect(response.status, await response.text()).toBeLessThan(500);
});
