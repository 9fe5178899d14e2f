import { afterAll, beforeAll, describe, it } from 'vitest';
import { type AuthServer, startAuthServer } from '../../testing/auth-server.ts';
import { signUpPerson } from '../../testing/people.ts';
import { play, type Scenario } from '../../testing/scenario.ts';

let server: AuthServer;
const tokens: Record<string, string> = {};
beforeAll(async () => {
  server = await startAuthServer({ GOTRUE_SECURITY_MANUAL_LINKING_ENABLED: 'true' });
  tokens.ann = (await signUpPerson(server)).accessToken;
});
afterAll(() => server.close());

describe('disabled identity providers', () => {
  it.each<Scenario>([
    {
      name: 'another provider',
      path: '/authorize?provider=google',
      status: 400,
      contains: ['"validation_failed"', 'Unsupported provider: provider is not enabled'],
    },
    {
      name: 'no provider',
      path: '/authorize',
      status: 400,
      contains: ['Unsupported provider: missing provider'],
    },
    {
      name: 'linking another provider',
      path: '/user/identities/authorize?provider=google',
      as: 'ann',
      status: 400,
      contains: ['Unsupported provider'],
    },
    {
      name: 'linking without a token',
      path: '/user/identities/authorize',
      status: 401,
      contains: ['no_authorization'],
    },
    {
      name: 'single sign-on',
      method: 'POST',
      path: '/sso',
      body: { domain: 'example.org' },
      status: 404,
      contains: ['"saml_provider_disabled"', 'SAML 2.0 is disabled'],
    },
    { name: 'SAML metadata', path: '/sso/saml/metadata', status: 404, contains: ['saml_provider_disabled'] },
    {
      name: 'SAML responses',
      method: 'POST',
      path: '/sso/saml/acs',
      body: 'SAMLResponse=x',
      status: 404,
      contains: ['saml_provider_disabled'],
    },
    {
      name: 'ID tokens',
      method: 'POST',
      path: '/token?grant_type=id_token',
      body: { provider: 'google', id_token: 'x' },
      status: 400,
      contains: ['"provider_disabled"', 'not enabled'],
    },
  ])('report an error: $name', async (scenario) => {
    await play(server, scenario, tokens);
  });
});
