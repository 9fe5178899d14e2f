import { describe, expect, it } from 'vitest';
import { ConfigError } from './config-error.ts';
import { requireLocalInstance } from './require-local-instance.ts';

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
