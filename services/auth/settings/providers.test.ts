import { readFile } from 'node:fs/promises';
import { ConfigError, loadSettings } from '@greenroom/config';
import { describe, expect, it } from 'vitest';
import { externalTree } from './providers.ts';
import { authSettings } from './settings.ts';

const google = {
  GOTRUE_EXTERNAL_GOOGLE_ENABLED: 'true',
  GOTRUE_EXTERNAL_GOOGLE_CLIENT_ID: 'web, native',
  GOTRUE_EXTERNAL_GOOGLE_SECRET: 'secret',
};

describe('settings of external providers', () => {
  it('are none by default', () => {
    const { providers, callbackUrl } = loadSettings(authSettings, {}).externalProviders;
    expect([providers.size, callbackUrl]).toEqual([0, 'http://127.0.0.1:54321/auth/v1/callback']);
  });

  it('are read for those that are enabled', () => {
    const auth = loadSettings(authSettings, { ...google, API_EXTERNAL_URL: 'https://api.x.co' });
    expect(auth.externalProviders.providers.get('google')).toEqual({
      clientIds: ['web', 'native'],
      secret: 'secret',
      redirectUri: 'https://api.x.co/auth/v1/callback',
      url: undefined,
      skipNonceCheck: false,
      emailOptional: false,
    });
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
    expect(() => loadSettings(authSettings, env)).toThrow(ConfigError);
    expect(() => loadSettings(authSettings, env)).toThrow(name);
  });

  it.each(Object.values(externalTree.providers.google).map(({ details }) => details))(
    'the reference page has $documentedAs with its default',
    async ({ documentedAs, default: initial }) => {
      const page = await readFile(new URL('../../../docs/reference/auth.md', import.meta.url), 'utf8');
      const row = page.split('\n').find((line) => line.startsWith(`| \`${documentedAs}\` |`));
      expect(row?.split('|')[2]?.trim()).toBe(initial ? `\`${initial}\`` : '–');
    },
  );
});
