/** The issuers of each provider, and values that are not allowed. */
import { expect, it } from 'vitest';
import { loadSettings } from './load-settings.ts';
import { defineSettings } from './settings-group.ts';

const nothing = defineSettings({
  title: '',
  tree: {},
  complete: (_, { instance }: { instance: { trustedIssuers: unknown } }) => instance.trustedIssuers,
});

const issuersOf = (settings: Record<string, string>) =>
  loadSettings(
    nothing as never,
    Object.fromEntries(
      Object.entries(settings).map(([name, text]) => [`GREENROOM_THIRD_PARTY_${name}`, text]),
    ),
  );

it.each<[Record<string, string>, string, string | undefined]>([
  [
    { FIREBASE_ENABLED: 'true', FIREBASE_PROJECT_ID: 'shop-1' },
    'https://securetoken.google.com/shop-1',
    'shop-1',
  ],
  [{ AUTH0_ENABLED: 'true', AUTH0_TENANT: 'shop' }, 'https://shop.auth0.com', undefined],
  [
    { AUTH0_ENABLED: 'true', AUTH0_TENANT: 'shop', AUTH0_TENANT_REGION: 'eu' },
    'https://shop.eu.auth0.com',
    undefined,
  ],
  [
    {
      AWS_COGNITO_ENABLED: 'true',
      AWS_COGNITO_USER_POOL_ID: 'eu-central-1_Ab12',
      AWS_COGNITO_USER_POOL_REGION: 'eu-central-1',
    },
    'https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_Ab12',
    undefined,
  ],
  [{ CLERK_ENABLED: 'true', CLERK_DOMAIN: 'clerk.example.com' }, 'https://clerk.example.com', undefined],
  [
    { CLERK_ENABLED: 'true', CLERK_DOMAIN: 'happy-1.clerk.accounts.dev' },
    'https://happy-1.clerk.accounts.dev',
    undefined,
  ],
  [
    { WORKOS_ENABLED: 'true', WORKOS_ISSUER_URL: 'https://api.workos.com/user_management/client_1/' },
    'https://api.workos.com/user_management/client_1',
    undefined,
  ],
  [
    { WORKOS_ENABLED: 'true', WORKOS_ISSUER_URL: 'http://localhost:8080/realms/shop' },
    'http://localhost:8080/realms/shop',
    undefined,
  ],
])('%j is the issuer %s', (settings, url, audience) => {
  expect(issuersOf(settings)).toEqual([{ url, audience }]);
});

it('accepts several issuers, and ignores those that are not enabled', () => {
  const settings = { AUTH0_TENANT: 'shop', CLERK_DOMAIN: 'clerk.example.com', CLERK_ENABLED: 'true' };
  expect(issuersOf({})).toEqual([]);
  expect(issuersOf(settings)).toHaveLength(1);
  expect(issuersOf({ ...settings, AUTH0_ENABLED: 'true' })).toHaveLength(2);
});

it.each<[Record<string, string>, string]>([
  [{ FIREBASE_ENABLED: 'true' }, 'FIREBASE_PROJECT_ID="" is not allowed. Allowed: a project id ('],
  [{ AUTH0_ENABLED: 'true' }, 'AUTH0_TENANT=""'],
  [{ AWS_COGNITO_ENABLED: 'true' }, 'AWS_COGNITO_USER_POOL_REGION=""'],
  [{ CLERK_ENABLED: 'true' }, 'CLERK_DOMAIN=""'],
  [{ WORKOS_ENABLED: 'true' }, 'WORKOS_ISSUER_URL=""'],
  [{ FIREBASE_PROJECT_ID: 'shop/../evil' }, 'FIREBASE_PROJECT_ID="shop/../evil"'],
  [{ AUTH0_TENANT: 'evil.test/' }, 'AUTH0_TENANT="evil.test/"'],
  [{ AWS_COGNITO_USER_POOL_REGION: 'eu@evil' }, 'AWS_COGNITO_USER_POOL_REGION="eu@evil"'],
  [{ CLERK_DOMAIN: 'example.com' }, 'CLERK_DOMAIN="example.com"'],
  [{ WORKOS_ISSUER_URL: 'http://example.com' }, 'WORKOS_ISSUER_URL="http://example.com"'],
  [{ WORKOS_ISSUER_URL: 'https://a:b@example.com' }, 'WORKOS_ISSUER_URL="https://a:b@example.com"'],
])('%j is rejected', (settings, message) => {
  expect(() => issuersOf(settings)).toThrow(`GREENROOM_THIRD_PARTY_${message}`);
});
