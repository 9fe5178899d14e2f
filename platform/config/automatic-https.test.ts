import { describe, expect, it } from 'vitest';
import { ConfigError } from './config-error.ts';
import { instanceSettings } from './instance.ts';
import { parseSettings } from './read-settings.ts';

const load = (source: Record<string, string>) =>
  instanceSettings.complete(parseSettings(instanceSettings.tree, source), undefined as never);

describe('GREENROOM_HTTPS_DOMAINS', () => {
  it('makes the server public, on the standard ports', () => {
    const { tls, host, port, appUrl, externalUrl, siteUrl, localUrl, limitsLoopback } = load({
      GREENROOM_HTTPS_DOMAINS: 'Example.org, www.example.org,example.org,bücher.example',
      PORT: '54321',
    });
    expect(tls).toMatchObject({
      kind: 'obtained',
      domains: ['example.org', 'www.example.org', 'xn--bcher-kva.example'],
      plainPort: 80,
      directory: 'https://acme-v02.api.letsencrypt.org/directory',
    });
    expect({ host, port, appUrl, externalUrl, siteUrl, localUrl, limitsLoopback }).toEqual({
      host: '0.0.0.0',
      port: 443,
      appUrl: 'https://example.org',
      externalUrl: 'https://example.org',
      siteUrl: 'https://example.org',
      localUrl: 'https://127.0.0.1:443',
      limitsLoopback: true,
    });
  });

  it('leaves addresses and URLs that are set as they are', () => {
    const { host, port, appUrl, externalUrl, siteUrl } = load({
      GREENROOM_HTTPS_DOMAINS: 'example.org',
      GREENROOM_HTTPS_PORT: '8443',
      GREENROOM_HTTPS_HOST: '::',
      HOST: '127.0.0.2',
      GREENROOM_PUBLIC_URL: 'https://www.example.org/app',
      API_EXTERNAL_URL: 'https://api.example.org',
      SITE_URL: 'https://front.example.org',
    });
    expect({ host, port, appUrl, externalUrl, siteUrl }).toEqual({
      host: '::',
      port: 8443,
      appUrl: 'https://www.example.org/app',
      externalUrl: 'https://api.example.org',
      siteUrl: 'https://front.example.org',
    });
  });

  it.each([
    '*.example.org',
    '203.0.113.7',
    '127.1',
    '[::1]',
    'localhost',
    'example.org.',
    '-a.example.org',
    'a_b.example.org',
    'https://example.org',
    'example.org:443',
    'user@example.org',
    'example.org/path',
    `${'a'.repeat(64)}.example.org`,
    Array.from({ length: 101 }, (_, index) => `a${index}.example.org`).join(),
  ])('rejects %s', (domains) => {
    expect(() => load({ GREENROOM_HTTPS_DOMAINS: domains })).toThrow(
      `GREENROOM_HTTPS_DOMAINS=${JSON.stringify(domains)} is not allowed. Allowed: host names such as example.org, separated by commas, without wildcards, ports and IP addresses (at most 100)`,
    );
  });

  it.each(['GREENROOM_TLS_CERT_FILE', 'GREENROOM_TLS_KEY_FILE'])('excludes %s', (name) => {
    const outcome = () => load({ GREENROOM_HTTPS_DOMAINS: 'example.org', [name]: 'a.pem' });
    expect(outcome).toThrow(ConfigError);
    expect(outcome).toThrow(
      `GREENROOM_HTTPS_DOMAINS="example.org" is not allowed. Allowed: unset (${name} names a certificate, which is used instead of an obtained one)`,
    );
  });

  it.each(['http://127.0.0.1/dir', 'directory', 'https://example.org/#a'])(
    'rejects the directory %s',
    (directory) => {
      expect(() => load({ GREENROOM_ACME_DIRECTORY: directory })).toThrow('Allowed: an https:// URL');
    },
  );
});
