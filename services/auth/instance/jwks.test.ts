import { createLocalJWKSet, jwtVerify } from 'jose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type AuthServer, startAuthServer } from '../testing/auth-server.ts';
import { signUpPerson } from '../testing/people.ts';
import { send } from '../testing/scenario.ts';

let server: AuthServer;
beforeAll(async () => {
  server = await startAuthServer();
});
afterAll(() => server.close());

it('returns only public keys, with a cache lifetime', async () => {
  const { status, json, headers } = await send(server, { path: '/.well-known/jwks.json' });
  expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=600']);
  expect(json.keys).toEqual([
    {
      kty: 'EC',
      crv: 'P-256',
      alg: 'ES256',
      use: 'sig',
      key_ops: ['verify'],
      kid: expect.any(String),
      x: expect.any(String),
      y: expect.any(String),
    },
  ]);
});

it('returns keys that verify access tokens', async () => {
  const { json } = await send(server, { path: '/.well-known/jwks.json' });
  const { accessToken, id } = await signUpPerson(server);
  const { payload, protectedHeader } = await jwtVerify(accessToken, createLocalJWKSet(json));
  expect([payload.sub, protectedHeader]).toEqual([id, { alg: 'ES256', typ: 'JWT', kid: json.keys[0].kid }]);
});
