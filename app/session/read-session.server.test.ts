import { createHmac, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { stringToBase64URL } from '@supabase/ssr';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { PageOptions } from '../lib/page/page-options.ts';
import { createBackend } from './backend.server.ts';
import { CookieJar } from './cookie-jar.server.ts';
import { readSession } from './read-session.server.ts';

const KEY = 'sb-test-auth-token';
const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const unknownKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
const now = () => Math.floor(Date.now() / 1000);

let server: Server;
let apiUrl: string;
/** Requested paths. */
let calls: string[];
/** The response of the token endpoint. */
let refreshResponse: { status: number; body: unknown };

/**
 * A small auth service on a real socket: it publishes a key, and rejects tokens that clients ask it to
 * verify.
 */
function responseFor(path: string): { status: number; body: unknown } {
  if (path.endsWith('/jwks.json')) {
    return {
      status: 200,
      body: { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k1', alg: 'ES256' }] },
    };
  }
  if (path.endsWith('/token')) return refreshResponse;
  return { status: 403, body: { code: 'bad_jwt', message: 'invalid JWT' } };
}

beforeAll(async () => {
  server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://x').pathname;
    calls.push(path);
    const { status, body } = responseFor(path);
    const version = { 'content-type': 'application/json', 'x-supabase-api-version': '2024-01-01' };
    response.writeHead(status, version).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => new Promise((resolve) => server.close(resolve)));

beforeEach(() => {
  calls = [];
  refreshResponse = {
    status: 400,
    body: { code: 'refresh_token_not_found', message: 'Invalid Refresh Token' },
  };
});

const part = (value: unknown) => stringToBase64URL(JSON.stringify(value));

function signedToken(claims: object = {}, header: object = {}, key: KeyObject = privateKey): string {
  const payload = { sub: randomUUID(), exp: now() + 3600, role: 'authenticated', aal: 'aal1', ...claims };
  const text = `${part({ alg: 'ES256', kid: 'k1', typ: 'JWT', ...header })}.${part(payload)}`;
  const signature = sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' });
  return `${text}.${signature.toString('base64url')}`;
}

function hmacToken(): string {
  const text = `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ sub: randomUUID(), exp: now() + 3600 })}`;
  return `${text}.${createHmac('sha256', 'guessed').update(text).digest('base64url')}`;
}

function sessionWith(access_token: unknown, change: object = {}) {
  return {
    access_token,
    refresh_token: 'r',
    expires_at: now() + 3600,
    expires_in: 3600,
    token_type: 'bearer',
    ...change,
  };
}

/** Reads the session from one cookie. */
async function read(session: unknown, url = apiUrl) {
  const jar = new CookieJar(`${KEY}=base64-${part(session)}; other=1`, false);
  const log = { info() {}, warn() {}, error() {} };
  const backend = createBackend({ apiUrl: url, anonKey: 'anon', log } as unknown as PageOptions, KEY);
  const visit = { isHttps: false, clientAddress: '127.0.0.1' } as Parameters<typeof backend.forVisitor>[1];
  const found = await readSession({
    jar,
    cookiePrefix: KEY,
    forVisitor: () => backend.forVisitor(jar, visit, null),
    forVerification: () => backend.forVerification(),
  });
  return { found, cookies: [...jar.setCookieHeaders()] };
}

describe('readSession', () => {
  it('verifies a token locally and only once', async () => {
    const token = signedToken({ email: 'ada@example.com' });
    const session = sessionWith(token);
    const first = await read(session);
    expect(first.found?.claims.email).toBe('ada@example.com');
    expect(first.found?.summary.expires_in).toBe(3600);
    expect(JSON.stringify(first.found)).not.toContain(token);
    expect(first.cookies).toEqual([]);
    calls = [];
    expect((await read(session, 'http://127.0.0.1:1')).found).toEqual(first.found);
    expect(calls).toEqual([]);
  });

  it.each<[string, () => unknown]>([
    ['signed with another key', () => signedToken({}, {}, unknownKey)],
    [
      'with modified claims',
      () => signedToken().replace(/\.[^.]+\./, `.${part({ sub: 'x', exp: now() + 60 })}.`),
    ],
    ['without a signature', () => signedToken().replace(/[^.]+$/, '')],
    ['with the algorithm none', () => `${part({ alg: 'none' })}.${part({ sub: 'x', exp: now() + 60 })}.`],
    ['signed with a shared secret', hmacToken],
    ['of an unknown key', () => signedToken({}, { kid: 'k2' })],
    ['of an unknown algorithm', () => signedToken({}, { alg: 'XX512' })],
    ['with an algorithm that is not a text', () => signedToken({}, { alg: 5 })],
    ['that has expired', () => signedToken({ exp: now() - 1 })],
    ['without an expiry', () => signedToken({ exp: undefined })],
    ['without a user', () => signedToken({ sub: undefined })],
    ['of an OAuth application', () => signedToken({ client_id: randomUUID(), scope: 'email' })],
    ['that is malformed', () => 'not.a.token'],
    ['that is empty', () => ''],
    ['of another type', () => ({ a: 1 })],
  ])('signs out and clears the cookie for a token %s', async (_name, makeToken) => {
    const { found, cookies } = await read(sessionWith(makeToken()));
    expect(found).toBeUndefined();
    expect(cookies).toEqual([`${KEY}=; Max-Age=0; Path=/; SameSite=Lax`]);
  });

  it('refreshes a session near its end and sets its new cookies', async () => {
    const fresh = { ...sessionWith(signedToken()), refresh_token: 'r2', user: { id: 'u1' } };
    refreshResponse = { status: 200, body: fresh };
    const { found, cookies } = await read(sessionWith(signedToken(), { expires_at: now() + 30 }));
    expect(found?.summary.expires_at).toBe(fresh.expires_at);
    expect(cookies).toHaveLength(1);
    expect(cookies[0]).toMatch(new RegExp(`^${KEY}=base64-.+; Max-Age=34560000; Path=/; SameSite=Lax$`));
  });

  it('signs out if a refresh is rejected', async () => {
    const { found, cookies } = await read(sessionWith(signedToken(), { expires_at: now() - 30 }));
    expect(found).toBeUndefined();
    expect(cookies).toEqual([`${KEY}=; Max-Age=0; Path=/; SameSite=Lax`]);
  });

  it('keeps the session if the backend is unavailable', async () => {
    const reading = read(sessionWith(signedToken({}, { kid: randomUUID() })), 'http://127.0.0.1:1');
    await expect(reading).rejects.toMatchObject({ init: { status: 503 } });
  });

  it('loads no modules for a visitor without a session', async () => {
    const unexpected = () => Promise.reject(new Error('a client was made'));
    const source = { cookiePrefix: KEY, forVisitor: unexpected, forVerification: unexpected };
    expect(await readSession({ ...source, jar: new CookieJar('other=1', false) })).toBeUndefined();
    expect(await readSession({ ...source, jar: new CookieJar(null, false) })).toBeUndefined();
  });
});
