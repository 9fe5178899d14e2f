import { describe, expect, it } from 'vitest';
import { scriptSources } from './script-sources.ts';

const location = { baseURL: '/', cdnURL: '', buildAssetsDir: '/assets/' };
const site = { location, publicUrl: undefined, isDevelopment: false };
const withNonceOnly = { scripts: "'strict-dynamic'", workers: "'none'" };

describe('scriptSources', () => {
  it.each([
    'app.example',
    'app.example:8443',
    'localhost:54321',
    '127.0.0.1:54321',
    'a-b.example',
    '1.example',
  ])('allows the folder of the built files at %s', (host) => {
    const own = `${host}/assets/`;
    expect(scriptSources(site)(host)).toEqual({ scripts: own, workers: own });
  });

  it.each([
    '[::1]:54321',
    '192.168.1.2:54321',
    '10.0.0.1',
    'my_host',
    "x;script-src'self'",
    'a,b',
    '*.example',
    '',
  ])('allows scripts by nonce if a policy cannot match the host: %s', (host) =>
    expect(scriptSources(site)(host)).toEqual(withNonceOnly),
  );

  it('follows the base and the folder of the built files', () => {
    const below = { ...site, location: { ...location, baseURL: '/a;b/', buildAssetsDir: '/_files,1/' } };
    expect(scriptSources(below)('app.example').scripts).toBe('app.example/a%3Bb/_files%2C1/');
  });

  it.each(['/', '/storage/', '/storage/v1/'])(
    'does not allow a folder that contains uploads: %s',
    (folder) => {
      const wide = { ...site, location: { ...location, buildAssetsDir: folder } };
      expect(scriptSources(wide)('app.example')).toEqual(withNonceOnly);
    },
  );

  it('allows the public host in addition to the forwarded one', () => {
    const behind = { ...site, publicUrl: 'https://app.example/' };
    const both = 'app:3000/assets/ app.example/assets/';
    expect(scriptSources(behind)('app:3000')).toEqual({ scripts: both, workers: both });
    expect(scriptSources(behind)('app.example').scripts).toBe('app.example/assets/');
  });

  it('allows the folder on the CDN for scripts but not for workers', () => {
    const onCdn = { ...site, location: { ...location, cdnURL: 'https://cdn.example/v1' } };
    expect(scriptSources(onCdn)('app.example')).toEqual({
      scripts: 'app.example/assets/ https://cdn.example/v1/assets/',
      workers: 'app.example/assets/',
    });
  });

  it('allows the whole origin in development', () => {
    const inDevelopment = { ...site, isDevelopment: true };
    expect(scriptSources(inDevelopment)('[::1]:1')).toEqual({ scripts: "'self'", workers: "'self' blob:" });
  });
});
