import { generateKeyPairSync } from 'node:crypto';
import { loadSettings } from '@greenroom/config';
import { describe, expect, it } from 'vitest';
import { authSettings } from '../settings.ts';

const newKey = (modulusLength: number) => generateKeyPairSync('rsa', { modulusLength }).privateKey;
const key = newKey(2048);
const base64 = (type: 'pkcs1' | 'pkcs8', of = key) => of.export({ type, format: 'der' }).toString('base64');
const elliptic = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;

describe('settings of single sign-on', () => {
  it('are disabled by default, and then ignore the key', () => {
    const { saml } = loadSettings(authSettings, { GOTRUE_SAML_PRIVATE_KEY: base64('pkcs1') });
    expect(saml).toEqual({
      key: undefined,
      encryptedAssertions: false,
      relayStateMs: 120_000,
      url: 'http://127.0.0.1:54321/auth/v1',
      assertions: 15,
      signIns: 30,
      privateNetwork: false,
    });
  });

  it.each(['pkcs1', 'pkcs8'] as const)('accept a key in the format %s', (type) => {
    const env = { GOTRUE_SAML_ENABLED: 'true', GOTRUE_SAML_PRIVATE_KEY: base64(type) };
    expect(loadSettings(authSettings, env).saml.key?.equals(key)).toBe(true);
  });

  it.each([
    ['a missing key', undefined],
    ['invalid base64', 'hello'],
    ['a short key', base64('pkcs8', newKey(1024))],
    ['another kind of key', base64('pkcs8', elliptic)],
  ])('reject %s without exposing it', (_, text) => {
    const env = { GOTRUE_SAML_ENABLED: 'true', GOTRUE_SAML_PRIVATE_KEY: text };
    expect(() => loadSettings(authSettings, env)).toThrow(
      /^GOTRUE_SAML_PRIVATE_KEY=\(hidden\) is not allowed.*RSA/,
    );
  });

  it.each([
    [{ API_EXTERNAL_URL: 'https://x.example' }, 'https://x.example/auth/v1'],
    [{ GOTRUE_SAML_EXTERNAL_URL: 'https://sso.example/auth/' }, 'https://sso.example/auth'],
  ])("have the service's URL of %j", (env, url) => {
    expect(loadSettings(authSettings, env).saml.url).toBe(url);
  });
});
