import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createTestKeys, TEST_JWT_SECRET } from '@greenroom/testing';
import { type JWTHeaderParameters, SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { keyringVerifier, secretVerifier } from './verify-token.ts';

const bytes = new TextEncoder().encode(TEST_JWT_SECRET);
const sign = (header: JWTHeaderParameters, key: KeyObject | Uint8Array = bytes) =>
  new SignJWT({ role: 'anon', exp: 1 }).setProtectedHeader(header).sign(key);
const base64 = Buffer.from(bytes).toString('base64');
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ed = generateKeyPairSync('ed25519');
const publicJwk = (key: KeyObject, more = {}) => ({ ...key.export({ format: 'jwk' }), ...more });
const octet = { kty: 'oct', k: Buffer.from(bytes).toString('base64url') };
const set = JSON.stringify({
  keys: [publicJwk(ec.publicKey, { kid: 'ec' }), publicJwk(rsa.publicKey, { kid: 'rsa' }), octet],
});
const refused = { code: 'PGRST301', status: 401 };

describe('a secret', () => {
  it.each([
    ['as text', TEST_JWT_SECRET, {}],
    ['in base64', base64, { isBase64: true }],
    ['in base64url', Buffer.from(bytes).toString('base64url'), { isBase64: true }],
    ['as a key', JSON.stringify(octet), {}],
    ['in a set of keys', set, {}],
  ])('%s verifies tokens signed with it, regardless of their age', async (_, secret, options) => {
    const verify = secretVerifier(secret, options);
    await verify(await sign({ alg: 'HS256' }));
    await verify(await sign({ alg: 'HS512' }));
    await expect(
      verify(await sign({ alg: 'HS256' }, Buffer.from(`${TEST_JWT_SECRET}!`))),
    ).rejects.toMatchObject(refused);
  });

  it.each([
    ['too short', 'short', 'has 5 bytes'],
    ['an empty set', '{"keys":[]}', 'is empty'],
    ['a key of an unknown kind', '{"kty":"EC","crv":"secp256k1"}', 'must be of type oct'],
    ['an unreadable key', '{"kty":"EC","crv":"P-256","x":"AA","y":"AA"}', 'cannot be read'],
    ['a short RSA key', '{"kty":"RSA","n":"AQAB","e":"AQAB"}', 'fewer than 2048 bits'],
    ['a set that contains null', '{"keys":[null]}', 'must be of type oct'],
  ])('that is %s is rejected at creation without exposing it', (_, secret, message) => {
    expect(() => secretVerifier(secret)).toThrow(message);
  });
});

describe('public keys', () => {
  const verify = secretVerifier(set);

  it('verify tokens signed with the private keys', async () => {
    await verify(await sign({ alg: 'ES256', kid: 'ec' }, ec.privateKey));
    await verify(await sign({ alg: 'ES256' }, ec.privateKey));
    await verify(await sign({ alg: 'PS256', kid: 'rsa' }, rsa.privateKey));
    await secretVerifier(JSON.stringify(publicJwk(ed.publicKey)))(
      await sign({ alg: 'EdDSA' }, ed.privateKey),
    );
    // A private key verifies with its public half.
    await secretVerifier(JSON.stringify(publicJwk(ec.privateKey)))(
      await sign({ alg: 'ES256' }, ec.privateKey),
    );
  });

  it('are tried only if the token names them or no key', async () => {
    await expect(verify(await sign({ alg: 'ES256', kid: 'rsa' }, ec.privateKey))).rejects.toMatchObject(
      refused,
    );
    const nameless = secretVerifier(JSON.stringify(publicJwk(ec.publicKey)));
    await expect(nameless(await sign({ alg: 'ES256', kid: 'ec' }, ec.privateKey))).rejects.toMatchObject(
      refused,
    );
  });

  it('cannot be used as shared secrets', async () => {
    const alone = secretVerifier(JSON.stringify(publicJwk(rsa.publicKey)));
    const pem = Buffer.from(rsa.publicKey.export({ type: 'spki', format: 'pem' }));
    await expect(alone(await sign({ alg: 'HS256' }, pem))).rejects.toMatchObject(refused);
  });

  it('accept only the algorithm that they name', async () => {
    const pss = secretVerifier(JSON.stringify(publicJwk(rsa.publicKey, { alg: 'PS256' })));
    await pss(await sign({ alg: 'PS256' }, rsa.privateKey));
    await expect(pss(await sign({ alg: 'RS256' }, rsa.privateKey))).rejects.toMatchObject(refused);
  });
});

it.each(['a.b.c', '..', 'e30.e30.', `${Buffer.from('{"alg":"none"}').toString('base64url')}.e30.`])(
  'rejects the token %s',
  async (token) => {
    await expect(secretVerifier(TEST_JWT_SECRET)(token)).rejects.toMatchObject(refused);
    await expect(keyringVerifier(await createTestKeys())(token)).rejects.toMatchObject(refused);
  },
);

it('verifies tokens of the instance with its own keys', async () => {
  const keys = await createTestKeys();
  const verify = keyringVerifier(keys);
  await verify(await keys.sign({ role: 'anon' }));
  await verify(await sign({ alg: 'HS256' }));
  await expect(verify(await (await createTestKeys()).sign({ role: 'anon' }))).rejects.toMatchObject(refused);
});
