/** Malformed and malicious page requests: each gets a specific 4xx or a redirect, never a 500. */
import { expect, test } from '@playwright/test';
import { forgetCookies, signUpByForm } from './support/person.ts';
import { baseUrl } from './support/shared-instance.ts';

const accept = 'text/html';
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const sameOriginHeaders = () => ({ ...form, accept, origin: baseUrl() });
const post = (body: BodyInit, headers: Record<string, string> = sameOriginHeaders()): RequestInit => ({
  method: 'POST',
  body,
  headers,
  redirect: 'manual',
});

const ROWS: [name: string, path: string, init: () => RequestInit, status: number][] = [
  [
    'a form from another site',
    '/login',
    () => post('email=a', { ...sameOriginHeaders(), origin: 'https://evil.example' }),
    403,
  ],
  [
    'a form of another content type',
    '/login',
    () => post('{}', { ...sameOriginHeaders(), 'content-type': 'application/json' }),
    415,
  ],
  ['a form of 10 MB', '/login', () => post(`email=${'a'.repeat(10_000_000)}`), 413],
  ['an empty form', '/login', () => post(''), 400],
  ['NUL bytes', '/login', () => post('email=a%00@example.org&password=correct+horse'), 422],
  ['invalid UTF-8', '/login', () => post('email=%ff%fe&password=%ff'), 422],
  ['another method', '/login', () => ({ method: 'DELETE', headers: { accept } }), 405],
  ['a path of invalid UTF-8', '/%ff', () => ({ headers: { accept } }), 400],
  ['a URL of 100 KB', `/login?x=${'a'.repeat(100_000)}`, () => ({ headers: { accept } }), 414],
  ['an unknown path', '/nothing', () => ({ headers: { accept } }), 404],
];

for (const [name, path, init, status] of ROWS) {
  test(`a page responds to ${name} with ${status}`, async () => {
    const response = await fetch(baseUrl() + path, init());
    expect(response.status).toBe(status);
    expect((await fetch(`${baseUrl()}/login`)).status).toBe(200);
  });
}

test('responds with an error as JSON if the client accepts JSON', async () => {
  const response = await fetch(`${baseUrl()}/nothing`, { headers: { accept: 'application/json' } });
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({ status: 404, message: 'Page not found: /nothing' });
});

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const sessionCookie = (fields: object) =>
  `base64-${encode({ access_token: 'a.b.c', refresh_token: 'abcdefghijkl', token_type: 'bearer', user: {}, ...fields })}`;
const unsigned = `${encode({ alg: 'none', typ: 'JWT' })}.${encode({ sub: 'x', role: 'authenticated', exp: 9_999_999_999 })}.`;

const COOKIES: [name: string, value: string][] = [
  ['invalid base64', 'base64-%%%'],
  ['invalid JSON', `base64-${Buffer.from('nonsense').toString('base64url')}`],
  ['a forged token', sessionCookie({ expires_at: 9_999_999_999 })],
  ['a token of alg none', sessionCookie({ access_token: unsigned, expires_at: 9_999_999_999 })],
  ['an expired session that cannot be refreshed', sessionCookie({ expires_at: 1_000_000_000 })],
];

for (const [name, value] of COOKIES) {
  test(`treats a session cookie with ${name} as signed out`, async () => {
    const response = await fetch(baseUrl(), {
      redirect: 'manual',
      headers: { accept, cookie: `sb-127-auth-token=${value}` },
    });
    expect([response.status, response.headers.get('location')]).toEqual([302, '/login']);
    expect(response.headers.getSetCookie().join()).toMatch(/sb-127-auth-token=;.*Max-Age=0/i);
  });
}

test('treats a session cookie with a missing chunk as signed out', async ({ page, context }) => {
  await signUpByForm(page);
  const cookies = (await context.cookies()).filter(({ name }) => name.startsWith('sb-127-auth-token'));
  const [first] = cookies;
  if (!first) throw new Error('no session cookie');
  await forgetCookies(page);
  await context.addCookies([{ ...first, name: 'sb-127-auth-token.1' }]);
  await page.goto(baseUrl());
  await expect(page).toHaveURL(`${baseUrl()}/login`);
});

for (const path of [
  '//evil.example',
  '/\\evil.example',
  'https://evil.example',
  'javascript:alert(1)',
  '/login',
]) {
  test(`ignores the saved path ${path} after the sign-in`, async ({ page, context }) => {
    const name = 'sb-127-auth-token-redirect-path';
    await context.addCookies([{ name, value: encodeURIComponent(path), url: baseUrl() }]);
    await signUpByForm(page);
    await expect(page).toHaveURL(`${baseUrl()}/`);
    expect((await context.cookies()).map((cookie) => cookie.name)).not.toContain(name);
  });
}

test('session cookies have the attributes of the specification', async () => {
  const response = await fetch(
    `${baseUrl()}/login?mode=sign-up`,
    post(`email=cookies-${Date.now()}%40example.org&password=correct+horse`),
  );
  const cookies = response.headers
    .getSetCookie()
    .filter((cookie) => /^sb-127-auth-token(\.\d+)?=[^;]/.test(cookie));
  expect(cookies.length).toBeGreaterThan(0);
  for (const cookie of cookies) {
    expect(cookie).toMatch(/Max-Age=34560000/i);
    expect(cookie).toMatch(/Path=\//i);
    expect(cookie).toMatch(/SameSite=Lax/i);
    expect(cookie.split(';')[0]?.split('=')[1]?.length).toBeLessThanOrEqual(3180);
  }
  expect(response.headers.get('cache-control')).toBe('private, no-store');
});

test('pages have a content security policy with a nonce and contain no secret key', async () => {
  const response = await fetch(`${baseUrl()}/login`);
  expect(response.headers.get('content-security-policy')).toMatch(/script-src[^;]*'nonce-[\w-]+'/);
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  const other = await fetch(`${baseUrl()}/login`);
  expect(other.headers.get('content-security-policy')).not.toBe(
    response.headers.get('content-security-policy'),
  );
  const page = await response.text();
  const tokens = [...page.matchAll(/eyJ[\w-]+\.(eyJ[\w-]+)\.[\w-]+/g)].map((match) =>
    Buffer.from(match[1] ?? '', 'base64url').toString(),
  );
  for (const payload of tokens) expect(JSON.parse(payload).role).toBe('anon');
});

test('each response with the sign-in page has its own nonce and request id, and the visitor’s language', async () => {
  const languages = ['en', 'de', 'en'];
  const pages = await Promise.all(
    languages.map(async (language) => {
      const response = await fetch(`${baseUrl()}/login`, { headers: { 'accept-language': language } });
      const html = await response.text();
      const nonces = [...html.matchAll(/ nonce="([^"]+)"/g)].map((match) => match[1]);
      const policy = response.headers.get('content-security-policy');
      const requestId = response.headers.get('x-request-id');
      return { html, nonces: [...new Set(nonces)], policy, requestId };
    }),
  );
  for (const [index, { html, nonces, policy, requestId }] of pages.entries()) {
    expect(nonces).toHaveLength(1);
    expect(policy).toContain(`'nonce-${nonces[0]}'`);
    expect(html).toContain(`<meta name="request-id" content="${requestId}"/>`);
    expect(html).toContain(`<html lang="${languages[index]}"`);
  }
  expect(new Set(pages.map(({ nonces }) => nonces[0])).size).toBe(pages.length);
});
