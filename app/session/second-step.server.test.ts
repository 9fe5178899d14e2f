import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Claims, toClaims } from './claims.ts';
import { findSecondStep } from './second-step.server.ts';

let server: Server;
let apiUrl: string;
let calls: number;
/** The response of `GET /user`. */
let reply: { status: number; body: unknown };
let number = 0;

beforeAll(async () => {
  server = createServer((_request, response) => {
    calls += 1;
    const version = { 'content-type': 'application/json', 'x-supabase-api-version': '2024-01-01' };
    response.writeHead(reply.status, version).end(JSON.stringify(reply.body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => new Promise((resolve) => server.close(resolve)));

beforeEach(() => {
  calls = 0;
});

/** Claims of a new session. */
function newClaims(change: object = {}): Claims {
  number += 1;
  const exp = Math.floor(Date.now() / 1000) + 3600;
  const claims = toClaims({ sub: 'u', session_id: `s${number}`, aal: 'aal1', exp, ...change });
  if (!claims) throw new Error('no claims');
  return claims;
}

async function find(claims: Claims) {
  const client = createClient(apiUrl, 'anon', { auth: { persistSession: false, autoRefreshToken: false } });
  const { auth } = client;
  // A client with a session, like the visitor's.
  const getUser = () => auth.getUser('token');
  return findSecondStep(claims, async () => ({ auth: { getUser } }) as unknown as typeof client);
}

const user = (...factors: object[]) => ({ status: 200, body: { id: 'u', factors } });

it.each([
  ['a user without factors', user(), 'not-needed'],
  ['a user with an unverified factor', user({ id: 'f', status: 'unverified' }), 'not-needed'],
  ['a user with a verified factor', user({ id: 'f', status: 'verified', factor_type: 'webauthn' }), 'needed'],
  ['a missing user', { status: 403, body: { code: 'session_not_found', message: 'gone' } }, 'gone'],
])('returns for %s: $2', async (_name, factors, step) => {
  reply = factors;
  expect(await find(newClaims())).toBe(step);
});

it('sends one request to the backend for an exempt token and one each time for others', async () => {
  const claims = newClaims();
  reply = user();
  await find(claims);
  await find(claims);
  expect(calls).toBe(1);
  reply = user({ id: 'f', status: 'verified' });
  expect(await find(newClaims({ exp: claims.exp + 1 }))).toBe('needed');
  const second = newClaims();
  await find(second);
  await find(second);
  expect(calls).toBe(4);
});

it('needs no second factor of a user whom an administrator impersonates, but an existing session', async () => {
  const amr = [{ method: 'impersonation', timestamp: 0 }];
  reply = user({ id: 'f', status: 'verified' });
  expect(await find(newClaims({ amr }))).toBe('not-needed');
  reply = { status: 403, body: { code: 'session_not_found', message: 'gone' } };
  expect(await find(newClaims({ amr }))).toBe('gone');
});

it('sends no request to the backend for a session with two factors', async () => {
  expect(await find(newClaims({ aal: 'aal2' }))).toBe('not-needed');
  expect(calls).toBe(0);
});

it.each([429, 500, 503])('denies access if the backend responds with %i', async (status) => {
  reply = { status, body: { code: 'over_request_rate_limit', message: 'later' } };
  await expect(find(newClaims())).rejects.toMatchObject({ init: { status: 503 } });
});
