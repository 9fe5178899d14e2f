/** The token of a link follows from an address and a code of six digits, so links must not be a way to try all codes. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type AuthServer, startAuthServer } from '../testing/auth-server.ts';
import { authContext, authRequest } from '../testing/request.ts';
import { verifyGet } from '../verify.ts';

let server: AuthServer;
beforeAll(async () => {
  server = await startAuthServer();
});
afterAll(() => server.close());

it('lets a client try only so many links', async () => {
  const context = authContext(server);
  const codes: (string | null)[] = [];
  for (let guess = 0; guess < 31; guess += 1) {
    const query = `type=magiclink&token=${String(guess).padStart(56, '0')}`;
    const { headers } = await verifyGet(context, authRequest({ query, address: '203.0.113.7' }));
    codes.push(new URLSearchParams(new URL(headers?.location ?? '').hash.slice(1)).get('error_code'));
  }
  expect(codes.slice(0, 30)).toEqual(Array.from({ length: 30 }, () => 'otp_expired'));
  expect(codes.at(-1)).toBe('over_request_rate_limit');
});
