import { readFile } from 'node:fs/promises';
import { ConfigError, loadSettings } from '@greenroom/config';
import { describe, expect, it } from 'vitest';
import { PROVIDERS } from '../identity/oauth/providers.ts';
import { authSettings } from '../settings.ts';
import { providersTree } from './providers.ts';

const google = {
  GOTRUE_EXTERNAL_GOOGLE_ENABLED: 'true',
  GOTRUE_EXTERNAL_GOOGLE_CLIENT_ID: 'web, native',
  GOTRUE_EXTERNAL_GOOGLE_SECRET: 'secret',
};

describe('settings of external providers', () => {
  it('contain no provider by default', () => {
    const { providers, callbackUrl } = loadSettings(authSettings, {}).externalProviders;
    expect([providers.size, callbackUrl]).toEqual([0, 'http://127.0.0.1:54321/auth/v1/callback']);
  });

  it('are read for enabled providers', () => {
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
    [{ GOTRUE_EXTERNAL_GITHUB_ENABLED: 'yes' }, 'GOTRUE_EXTERNAL_GITHUB_ENABLED'],
    [{ GOTRUE_EXTERNAL_GITHUB_URL: 'ftp://x' }, 'GOTRUE_EXTERNAL_GITHUB_URL'],
  ])('are rejected: %j', (env, name) => {
    expect(() => loadSettings(authSettings, env)).toThrow(ConfigError);
    expect(() => loadSettings(authSettings, env)).toThrow(name);
  });

  it('have the issuers of Apple and Google as default for ID tokens without a provider', () => {
    expect(loadSettings(authSettings, {}).externalProviders.idTokenIssuers).toEqual([
      'https://appleid.apple.com',
      'https://accounts.google.com',
    ]);
  });

  it.each(Object.values(providersTree(PROVIDERS).providers.google ?? {}).map(({ details }) => details))(
    'the reference page has $documentedAs with its default',
    async ({ documentedAs, default: initial }) => {
      const page = await readFile(new URL('../../../docs/reference/auth.md', import.meta.url), 'utf8');
      const row = page.split('\n').find((line) => line.startsWith(`| \`${documentedAs}\` |`));
      expect(row?.split('|')[2]?.trim()).toBe(initial ? `\`${initial}\`` : '–');
    },
  );
});

describe.each(PROVIDERS)('an enabled provider: $name', ({ name, needsSecret = true, needsUrl = false }) => {
  const variable = (suffix: string) => `GOTRUE_EXTERNAL_${name.toUpperCase()}_${suffix}`;
  const enabled = { [variable('ENABLED')]: 'true' };
  const required = {
    [variable('CLIENT_ID')]: 'us',
    ...(needsSecret && { [variable('SECRET')]: 'secret' }),
    ...(needsUrl && { [variable('URL')]: 'https://provider.example' }),
  };

  function problemsOf(env: Record<string, string>) {
    try {
      loadSettings(authSettings, env);
      return [];
    } catch (error) {
      return (error as ConfigError).problems.map(({ name, allowed }) => [name, allowed]);
    }
  }

  it('reports all missing settings', () => {
    const reason = `(${variable('ENABLED')} is true)`;
    expect(problemsOf(enabled)).toEqual(
      Object.keys(required).map((missing) => [missing, expect.stringContaining(reason)]),
    );
  });

  it.each(Object.keys(required))('reports a missing %s', (missing) => {
    const { [missing]: _, ...others } = required;
    expect(problemsOf({ ...enabled, ...others })).toEqual([[missing, expect.any(String)]]);
  });

  it('is accepted with the settings that it needs', () => {
    expect(problemsOf({ ...enabled, ...required })).toEqual([]);
  });
});
