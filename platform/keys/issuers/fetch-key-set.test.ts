/** Documents of issuers that must not be used. */
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { fetchKeySet } from './fetch-key-set.ts';
import { startTokenIssuer, type TokenIssuer } from './testing/token-issuer.ts';

let issuer: TokenIssuer;

beforeAll(async () => {
  issuer = await startTokenIssuer();
  await issuer.addKey('one', 'ES256');
});
afterAll(() => issuer.close());
beforeEach(() => {
  issuer.respond = undefined;
  issuer.requests = [];
});

it('returns the asymmetric keys with an id', async () => {
  const [key] = issuer.keys;
  issuer.keys = [
    ...issuer.keys,
    { kty: 'oct', kid: 'two', k: 'c2VjcmV0' },
    { ...key, kid: undefined },
    null as never,
  ];
  expect(await fetchKeySet(issuer)).toEqual({ keys: [key] });
});

it.each<[string, unknown, string]>([
  ['names another issuer', { issuer: 'https://other.test' }, 'its issuer is not http://127.0.0.1'],
  ['names no issuer', { issuer: undefined }, 'its issuer is not http://127.0.0.1'],
  ['names no keys', { jwks_uri: undefined }, 'jwks_uri is not an https:// URL'],
  ['names a file', { jwks_uri: 'file:///etc/passwd' }, 'jwks_uri is not an https:// URL'],
  ['names keys without encryption', { jwks_uri: 'http://keys.test/' }, 'jwks_uri is not an https:// URL'],
  ['names keys in a private network', { jwks_uri: 'https://10.0.0.1/keys' }, 'its host is not public'],
  [
    'names keys on another port of this machine',
    { jwks_uri: 'https://127.0.0.1:1/' },
    'its host is not public',
  ],
  ['names keys of a private host name', { jwks_uri: 'https://localhost:9443/' }, 'its host is not public'],
])('rejects a document that %s', async (_, changes, message) => {
  issuer.respond = ({ url }, response) => {
    if (url === '/keys') return void response.end('{"keys":[]}');
    const document = { issuer: issuer.url, jwks_uri: `${issuer.url}/keys`, ...(changes as object) };
    response.end(JSON.stringify(document));
  };
  await expect(fetchKeySet(issuer)).rejects.toThrow(message);
  expect(issuer.requests).toEqual(['/.well-known/openid-configuration']);
});

it.each<[string, string, (response: ServerResponse) => void]>([
  ['redirects', 'HTTP 302', (response) => response.writeHead(302, { location: '/' }).end()],
  ['is an error', 'HTTP 404', (response) => response.writeHead(404).end('{}')],
  ['is not JSON', 'the response is not JSON', (response) => response.end('<html>')],
  ['is not an object', 'not a JSON object', (response) => response.end('null')],
  ['is too long', 'more than 262144 bytes', (response) => response.end(' '.repeat(300_000))],
  ['has no keys', 'not a set of keys', (response) => response.end('{}')],
  [
    'has too many keys',
    'not a set of keys',
    (response) => response.end(JSON.stringify({ keys: Array.from({ length: 101 }, () => ({})) })),
  ],
  [
    'breaks off',
    'other side closed',
    (response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{', () => response.destroy());
    },
  ],
])('rejects a key set that %s', async (_, message, respond) => {
  issuer.respond = ({ url }, response) => {
    if (url === '/keys') return respond(response);
    response.end(JSON.stringify({ issuer: issuer.url, jwks_uri: `${issuer.url}/keys` }));
  };
  await expect(fetchKeySet(issuer)).rejects.toThrow(message);
});

it('rejects an issuer that does not respond', async () => {
  await expect(fetchKeySet({ url: 'http://127.0.0.1:1' })).rejects.toThrow(
    'http://127.0.0.1:1/.well-known/openid-configuration: ',
  );
});
