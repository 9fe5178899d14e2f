import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { ConfigError, loadConfig } from '../index.ts';
import { settingsOfProvider } from './providers.ts';

const google = {
  GOTRUE_EXTERNAL_GOOGLE_ENABLED: 'true',
  GOTRUE_EXTERNAL_GOOGLE_CLIENT_ID: 'web, native',
  GOTRUE_EXTERNAL_GOOGLE_SECRET: 'secret',
};

describe('settings of external providers', () => {
  it('are none by default', () => {
    const { providers, callbackUrl } = loadConfig({}).auth.externalProviders;
    expect([providers.size, callbackUrl]).toEqual([0, 'http://127.0.0.1:54321/auth/v1/callback']);
  });

  it('are read for those that are enabled', () => {
    const { auth, app } = loadConfig({ ...google, API_EXTERNAL_URL: 'https://api.x.co' });
    expect(auth.externalProviders.providers.get('google')).toEqual({
      clientIds: ['web', 'native'],
      secret: 'secret',
      redirectUri: 'https://api.x.co/auth/v1/callback',
      url: undefined,
      skipNonceCheck: false,
      emailOptional: false,
    });
    expect(app.googleClientId).toBe('web');
    expect(loadConfig({ ...google, GOOGLE_CLIENT_ID: 'other' }).app.googleClientId).toBe('other');
  });

  it.each([
    [{ ...google, GOTRUE_EXTERNAL_GOOGLE_CLIENT_ID: '' }, 'GOTRUE_EXTERNAL_GOOGLE_CLIENT_ID'],
    [{ ...google, GOTRUE_EXTERNAL_GOOGLE_SECRET: '' }, 'GOTRUE_EXTERNAL_GOOGLE_SECRET'],
    [
      {
        GOTRUE_EXTERNAL_KEYCLOAK_ENABLED: 'true',
        GOTRUE_EXTERNAL_KEYCLOAK_CLIENT_ID: 'x',
        GOTRUE_EXTERNAL_KEYCLOAK_SECRET: 'x',
      },
      'GOTRUE_EXTERNAL_KEYCLOAK_URL',
    ],
    [{ GOTRUE_EXTERNAL_GITHUB_ENABLED: 'yes' }, 'GOTRUE_EXTERNAL_GITHUB_ENABLED'],
    [{ GOTRUE_EXTERNAL_GITHUB_URL: 'ftp://x' }, 'GOTRUE_EXTERNAL_GITHUB_URL'],
  ])('are refused: %j', (env, name) => {
    expect(() => loadConfig(env)).toThrow(ConfigError);
    expect(() => loadConfig(env)).toThrow(name);
  });

  it.each(Object.entries(settingsOfProvider))(
    'the reference page has …_%s with its default',
    async (setting, declared) => {
      const page = await readFile(new URL('../../../docs/reference/auth.md', import.meta.url), 'utf8');
      const row = page
        .split('\n')
        .find((line) => line.startsWith(`| \`GOTRUE_EXTERNAL_<PROVIDER>_${setting}\` |`));
      expect(row?.split('|')[2]?.trim()).toBe(declared.default ? `\`${declared.default}\`` : '–');
    },
  );
});
