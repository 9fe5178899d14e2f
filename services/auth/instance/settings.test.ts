import { afterAll, beforeAll, expect, it } from 'vitest';
import { type AuthServer, startAuthServer } from '../testing/auth-server.ts';
import { send } from '../testing/scenario.ts';

let server: AuthServer;
beforeAll(async () => {
  server = await startAuthServer();
});
afterAll(() => server.close());

const off = [
  'anonymous_users',
  'apple',
  'azure',
  'bitbucket',
  'discord',
  'facebook',
  'snapchat',
  'figma',
  'fly',
  'github',
  'gitlab',
  'google',
  'keycloak',
  'kakao',
  'linkedin',
  'linkedin_oidc',
  'notion',
  'spotify',
  'slack',
  'slack_oidc',
  'workos',
  'twitch',
  'twitter',
  'zoom',
];

it('returns exactly the fields that clients expect', async () => {
  const { status, json } = await send(server, { path: '/settings' });
  expect([status, json]).toEqual([
    200,
    {
      external: { ...Object.fromEntries(off.map((name) => [name, false])), email: true, phone: true },
      disable_signup: false,
      mailer_autoconfirm: true,
      phone_autoconfirm: true,
      sms_provider: '',
      saml_enabled: false,
      saml_private_key_next_configured: false,
      passkeys_enabled: true,
    },
  ]);
});

it.each([
  ['GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED', 'true', { external: { anonymous_users: true } }],
  ['GOTRUE_EXTERNAL_EMAIL_ENABLED', 'false', { external: { email: false } }],
  ['GOTRUE_EXTERNAL_PHONE_ENABLED', 'false', { external: { phone: false } }],
  ['GOTRUE_DISABLE_SIGNUP', 'true', { disable_signup: true }],
])('reflects %s', async (name, value, expected) => {
  const other = await startAuthServer({ [name]: value }, server);
  const { json } = await send(other, { path: '/settings' });
  await other.close();
  expect(json).toMatchObject(expected);
});
