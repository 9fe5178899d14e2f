import { describe, expect, it } from 'vitest';
import { ConfigError } from './config-error.ts';
import { refusePublishedSecrets, requireLocalInstance } from './require-local-instance.ts';

const LOCAL = {
  host: '127.0.0.1',
  appUrl: 'http://localhost:54321',
  externalUrl: 'http://127.0.0.1:54321',
  trustedProxies: [],
  databaseUrl: undefined,
  jwtSecret: undefined,
};

describe('requireLocalInstance', () => {
  it.each([{}, { host: '::1' }, { host: 'localhost' }, { appUrl: 'http://shop.localhost:54321' }])(
    'accepts %j',
    (settings) => {
      expect(() => requireLocalInstance({ ...LOCAL, ...settings })).not.toThrow();
    },
  );

  it.each([
    [{ host: '0.0.0.0' }, 'HOST is 0.0.0.0, which is no loopback address'],
    [{ host: '::' }, 'HOST is ::, which is no loopback address'],
    [{ host: '192.168.1.5' }, 'HOST is 192.168.1.5'],
    [{ host: 'example.org' }, 'HOST is example.org'],
    [{ appUrl: 'https://example.org' }, 'the public URL is https://example.org'],
    [{ externalUrl: 'https://api.example.org' }, 'the public URL is https://api.example.org'],
    [{ trustedProxies: ['127.0.0.1'] }, 'GREENROOM_TRUST_PROXY is set'],
    [{ databaseUrl: 'postgresql://ada@db/product' }, 'DATABASE_URL is set'],
    [{ jwtSecret: 's'.repeat(32) }, 'GREENROOM_JWT_SECRET is set'],
  ])('rejects %j', (settings, reason) => {
    const check = () => requireLocalInstance({ ...LOCAL, ...settings });
    expect(check).toThrow(ConfigError);
    expect(check).toThrow(`GREENROOM_CLI_KEYS="true" is not allowed. Allowed: false (${reason}`);
    expect(check).toThrow('Generated keys: greenroom start --no-cli-keys');
  });
});

describe('refusePublishedSecrets', () => {
  const published = {
    GREENROOM_JWT_SECRET: 'super-secret-jwt-token-with-at-least-32-characters-long',
    GREENROOM_SECRET_KEY: 'sb_secret_N7UND0UgjKTVK-Uodkm0Hg_xSvEMPvz',
    S3_PROTOCOL_ACCESS_KEY_SECRET: '850181e4652dd023b7a98c58ae0d2d34bd487ee0cc3254aed6eda37307425907',
  };

  it('accepts published secrets if only this machine reaches the instance', () => {
    expect(() => refusePublishedSecrets(published, { ...LOCAL, host: '::1' })).not.toThrow();
  });

  it('accepts other secrets if other machines reach the instance', () => {
    const own = { GREENROOM_JWT_SECRET: 's'.repeat(40), GREENROOM_SECRET_KEY: undefined };
    expect(() => refusePublishedSecrets(own, { ...LOCAL, host: '0.0.0.0' })).not.toThrow();
  });

  it.each([
    [{ host: '0.0.0.0' }, 'HOST is 0.0.0.0, which is no loopback address'],
    [{ appUrl: 'https://example.org' }, 'the public URL is https://example.org'],
    [{ trustedProxies: ['127.0.0.1'] }, 'GREENROOM_TRUST_PROXY is set'],
  ])('rejects each published secret with %j, without its value', (settings, reason) => {
    const problems = Object.keys(published).map(
      (name) =>
        `${name}=(hidden) is not allowed. Allowed: a secret value (everyone knows this one, and ${reason})`,
    );
    expect(() => refusePublishedSecrets(published, { ...LOCAL, ...settings })).toThrow(problems.join('\n'));
  });
});
