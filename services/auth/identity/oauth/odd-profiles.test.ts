/** Profiles that providers should not return, but may. */
import { randomUUID } from 'node:crypto';
import { CLIENT_ID, type OpenidProvider, startOpenidProvider } from '@greenroom/testing/openid-provider';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type AuthServer, startAuthServer } from '../../testing/auth-server.ts';
import { signUpPerson } from '../../testing/people.ts';
import { send } from '../../testing/scenario.ts';
import { apple } from './descriptions/apple.ts';
import { identityOf } from './provider-identity.ts';

let openid: OpenidProvider;
let server: AuthServer;
beforeAll(async () => {
  openid = await startOpenidProvider('http://127.0.0.1:54321/auth/v1/callback');
  server = await startAuthServer({
    GOTRUE_EXTERNAL_GOOGLE_ENABLED: 'true',
    GOTRUE_EXTERNAL_GOOGLE_CLIENT_ID: CLIENT_ID,
    GOTRUE_EXTERNAL_GOOGLE_SECRET: 'x',
    GOTRUE_EXTERNAL_GOOGLE_URL: openid.issuer,
    GOTRUE_EXTERNAL_GOOGLE_EMAIL_OPTIONAL: 'true',
  });
});
afterAll(async () => {
  await server?.close();
  await openid?.close();
});

async function withIdToken(claims: object, headers: Record<string, string> = {}, bearer?: string) {
  const id_token = await openid.idToken({ sub: randomUUID(), ...claims });
  const body = { provider: 'google', id_token, link_identity: bearer !== undefined };
  return send(server, { method: 'POST', path: '/token?grant_type=id_token', body, headers, bearer });
}

it.each([
  'not an address',
  'a@evil.test,b@company.test',
  'a@x.test\r\nBcc: b@x.test',
  `${'x'.repeat(300)}@x.test`,
])('ignores an invalid email address: %j', async (email) => {
  const { status, json, text } = await withIdToken({ email, email_verified: true });
  expect(status, text).toBe(200);
  expect(json.user).toMatchObject({ email: '' });
});

it('does not respond with 500 to an address that is taken in another audience', async () => {
  const { email } = await signUpPerson(server);
  const response = await withIdToken({ email, email_verified: true }, { 'x-jwt-aud': 'other' });
  expect(response.status, response.text).toBeLessThan(500);
});

it('does not respond with 500 to a subject or claim that cannot be stored', async () => {
  for (const claims of [{ sub: 'x'.repeat(9000) }, { sub: 'a\0' }, { name: 'a\0' }, { name: '\ud800' }]) {
    const response = await withIdToken(claims);
    expect(response.status, response.text).toBeLessThan(500);
  }
});

it('truncates a long name, which would be in every token', () => {
  const form = new URLSearchParams({ user: JSON.stringify({ name: { firstName: 'x'.repeat(100_000) } }) });
  const profile = apple.profile({ iss: 'https://appleid.apple.com', sub: 'ada' }, form);
  const { data } = identityOf({ provider: 'apple', profile });
  expect(JSON.stringify(data).length).toBeLessThan(9000);
});
