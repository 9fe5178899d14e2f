import { createRemoteJWKSet, jwtVerify } from 'jose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type AuthServer, startAuthServer } from '../testing/auth-server.ts';
import { signUpPerson } from '../testing/people.ts';
import { send } from '../testing/scenario.ts';

const PATH = '/.well-known/openid-configuration';
let server: AuthServer;
beforeAll(async () => {
  server = await startAuthServer();
});
afterAll(() => server.close());

it.each([
  ['https://x.example', 'https://x.example'],
  ['https://x.example/auth/v1/', 'https://x.example/auth/v1'],
])('names endpoints below the issuer %s', async (issuer, base) => {
  const named = await startAuthServer({ GOTRUE_JWT_ISSUER: issuer }, server);
  const { status, json, headers } = await send(named, { path: PATH });
  await named.close();
  expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=600']);
  expect(json).toMatchObject({
    issuer,
    authorization_endpoint: `${base}/oauth/authorize`,
    token_endpoint: `${base}/oauth/token`,
    userinfo_endpoint: `${base}/oauth/userinfo`,
    jwks_uri: `${base}/.well-known/jwks.json`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256'],
  });
});

it('leads to the key that verifies a token', async () => {
  const named = await startAuthServer({ GOTRUE_JWT_ISSUER: server.url }, server);
  const { json } = await send(named, { path: PATH });
  const { accessToken, id } = await signUpPerson(named);
  await named.close();
  const keys = createRemoteJWKSet(new URL(json.jwks_uri));
  const { payload } = await jwtVerify(accessToken, keys, { issuer: json.issuer });
  expect(payload.sub).toBe(id);
});
