/** API keys of the configuration, with official clients of a whole instance. */
import { ConfigError } from '@greenroom/config';
import { createApiKeys, createKeyring, generateKeyFile } from '@greenroom/keys';
import { createTestKeys, TEST_JWT_SECRET } from '@greenroom/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requireConfiguredApiKeys } from './instance-keys.ts';
import { loadConfig } from './settings.ts';
import { type OfficialInstance, startOfficialInstance } from './testing/official-instance.ts';

const PUBLISHABLE = 'sb_publishable_0123456789abcdef';
const SECRET = 'sb_secret_0123456789abcdef';

/** Signs claims with a shared secret. */
async function token(claims: Record<string, unknown>, jwtSecret = TEST_JWT_SECRET): Promise<string> {
  const { signingKey } = await generateKeyFile(0);
  const keyring = createKeyring({ signingKeys: [signingKey], jwtSecret, signsWithSecret: true });
  return keyring.sign({ exp: Math.floor(Date.now() / 1000) + 3600, ...claims });
}

describe('configured keys', () => {
  let instance: OfficialInstance;

  beforeAll(async () => {
    instance = await startOfficialInstance({
      GREENROOM_JWT_SECRET: TEST_JWT_SECRET,
      GREENROOM_PUBLISHABLE_KEY: PUBLISHABLE,
      GREENROOM_SECRET_KEY: SECRET,
      GREENROOM_ANON_KEY: await token({ role: 'anon', iss: 'supabase-demo' }),
      GREENROOM_SERVICE_ROLE_KEY: await token({ role: 'service_role', iss: 'supabase-demo' }),
    });
  });
  afterAll(() => instance?.close());

  it('replace the generated ones', () => {
    expect(instance.greenroom.backend?.apiKeys).toMatchObject({ publishable: PUBLISHABLE, secret: SECRET });
  });

  it('have their roles', async () => {
    const { apiKeys } = instance.greenroom.backend ?? {};
    for (const key of [apiKeys?.serviceRole, SECRET]) {
      expect((await instance.newClient(key).auth.admin.listUsers()).error).toBeNull();
    }
    for (const key of [apiKeys?.anon, PUBLISHABLE]) {
      expect((await instance.newClient(key).auth.admin.listUsers()).error?.code).toBe('not_admin');
    }
    const generated = await createApiKeys({
      jwtSecret: TEST_JWT_SECRET,
      publishableKey: 'sb_publishable_other',
      secretKey: 'sb_secret_other',
      createdAt: 0,
    });
    const { url } = instance.greenroom;
    const response = await fetch(`${url}/auth/v1/settings`, { headers: { apikey: generated.publishable } });
    expect(response.status).toBe(401);
  });
});

describe('a token among them', () => {
  const check = async (settings: Record<string, string>) =>
    requireConfiguredApiKeys(loadConfig(settings), await createTestKeys());

  it.each<[string, Record<string, unknown>, string | undefined, string]>([
    ['has another role', { role: 'authenticated' }, undefined, 'its role is "authenticated"'],
    ['has no role', {}, undefined, 'its role is undefined'],
    ['is expired', { role: 'anon', exp: 1 }, undefined, 'token is expired'],
    [
      'is signed with another secret',
      { role: 'anon' },
      'another secret of at least 32 characters',
      'token signature is invalid',
    ],
  ])('is rejected if it %s', async (_, claims, secret, reason) => {
    const key = await token(claims, secret);
    const error = await check({ GREENROOM_ANON_KEY: key }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ConfigError);
    expect(String(error)).toMatch(`(${reason})`);
    expect(String(error)).not.toMatch(key);
  });

  it('is accepted if its role is right, and not read with the keys of the Supabase CLI', async () => {
    await check({ GREENROOM_SERVICE_ROLE_KEY: await token({ role: 'service_role' }) });
    await check({ GREENROOM_ANON_KEY: await token({ role: 'x' }), GREENROOM_CLI_KEYS: 'true' });
  });
});

it.each([
  ['GREENROOM_PUBLISHABLE_KEY', SECRET],
  ['GREENROOM_SECRET_KEY', 'sb_secret_short'],
  ['GREENROOM_ANON_KEY', 'anon'],
])('%s=%s is rejected', (name, value) => {
  expect(() => loadConfig({ [name]: value })).toThrow(`${name}=`);
});
