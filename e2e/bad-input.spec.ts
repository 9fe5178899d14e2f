/** Malformed and malicious API requests: each gets a specific 4xx, and the server still answers the next request. */
import { expect, test } from '@playwright/test';
import { baseUrl, readStatus } from './support/shared-instance.ts';

let anonKey: string;

test.beforeAll(async () => {
  anonKey = (await readStatus()).ANON_KEY ?? '';
});

const json = { 'content-type': 'application/json' };
const signup = (body: BodyInit, headers: Record<string, string> = json): RequestInit => ({
  method: 'POST',
  body,
  headers,
});
const bearer = (token: string): RequestInit => ({ headers: { authorization: `Bearer ${token}` } });
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const none = `${encode({ alg: 'none', typ: 'JWT' })}.${encode({ sub: crypto.randomUUID(), role: 'service_role' })}.`;
const forged = `${encode({ alg: 'HS256' })}.${encode({ sub: crypto.randomUUID(), exp: 9_999_999_999 })}.AAAA`;

const ROWS: [name: string, path: string, init: RequestInit, status: number, code: string][] = [
  ['malformed JSON', '/signup', signup('{"email":'), 400, 'bad_json'],
  ['a JSON text that is not an object', '/signup', signup('[1]'), 400, 'bad_json'],
  [
    'a wrong content type with a body that is not JSON',
    '/signup',
    signup('email=a', { 'content-type': 'text/plain' }),
    400,
    'bad_json',
  ],
  [
    'a body of 10 MB',
    '/signup',
    signup(`{"email":"${'a'.repeat(10_000_000)}"}`),
    413,
    'request_entity_too_large',
  ],
  [
    'a NUL byte in an address',
    '/signup',
    signup('{"email":"a\\u0000@example.org","password":"correct horse"}'),
    400,
    'validation_failed',
  ],
  ['invalid UTF-8', '/signup', signup(new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d])), 400, 'bad_json'],
  [
    'wrong types',
    '/token?grant_type=password',
    signup('{"email":{"$ne":1},"password":[1]}'),
    400,
    'bad_json',
  ],
  ['a URL of 100 KB', `/settings?x=${'a'.repeat(100_000)}`, {}, 414, 'uri_too_long'],
  ['no token', '/user', {}, 401, 'no_authorization'],
  ['a token of alg none', '/user', bearer(none), 403, 'bad_jwt'],
  ['a forged token', '/user', bearer(forged), 403, 'bad_jwt'],
  ['a truncated token', '/user', bearer('abc.def'), 403, 'bad_jwt'],
];

for (const [name, path, init, status, code] of ROWS) {
  test(`the API responds to ${name} with ${status} ${code}`, async () => {
    const headers = { apikey: anonKey, 'x-supabase-api-version': '2024-01-01', ...init.headers };
    const response = await fetch(`${baseUrl()}/auth/v1${path}`, { ...init, headers });
    expect([response.status, (await response.json()).code]).toEqual([status, code]);
    expect((await fetch(`${baseUrl()}/health`)).status).toBe(200);
  });
}

test.describe('an API path without a service', () => {
  const paths = [
    '/functions/v1/hello',
    '/functions/v1',
    '/graphql/v1',
    '/auth/v1/nothing',
    '/storage/v1/nothing',
    '/storage/v1/object',
    '/realtime/v1/nothing',
  ];
  for (const path of paths) {
    test(`${path} responds with 404 and no HTML page for each method and body type`, async ({ request }) => {
      const headers = { apikey: anonKey, origin: 'https://elsewhere.example' };
      for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
        for (const type of ['application/json', 'text/plain', 'application/x-www-form-urlencoded']) {
          const response = await request.fetch(baseUrl() + path, {
            method,
            headers: { ...headers, ...(method !== 'GET' && { 'content-type': type }) },
            ...(method !== 'GET' && { data: '{}' }),
          });
          expect([method, type, response.status()]).toEqual([method, type, 404]);
          expect(response.headers()['access-control-allow-origin']).toBe('*');
          expect(response.headers()['content-type']).not.toContain('text/html');
        }
      }
      const preflight = await request.fetch(baseUrl() + path, {
        method: 'OPTIONS',
        headers: { origin: 'https://elsewhere.example', 'access-control-request-method': 'POST' },
      });
      expect(preflight.status()).toBeLessThan(300);
    });
  }
});
