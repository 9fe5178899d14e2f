import { createHmac } from 'node:crypto';
import type { Keys } from '@greenroom/keys';
import { createTestKeys, TEST_JWT_SECRET } from '@greenroom/testing';
import { beforeAll, expect, it } from 'vitest';
import { createTokenReader, type TokenReader } from './token.ts';

const NOW = Math.floor(Date.now() / 1000);
let keys: Keys;
let read: TokenReader;

beforeAll(async () => {
  keys = await createTestKeys();
  read = createTokenReader(keys);
});

function craftToken(header: object, payload: string, secret = TEST_JWT_SECRET): string {
  const text = [JSON.stringify(header), payload]
    .map((part) => Buffer.from(part).toString('base64url'))
    .join('.');
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}

it('is accepted if signed with a key of the instance or the shared secret', async () => {
  const claims = { role: 'authenticated', sub: 'someone', exp: NOW + 60 };
  const token = await keys.sign(claims);
  const session = {
    token,
    role: 'authenticated',
    claims: JSON.stringify(claims),
    expiresAt: NOW + 60,
    subject: 'someone',
  };
  expect(await read(token)).toEqual(session);
  expect(await read(`\n ${token}%0A`)).toEqual(session);
  const payload = `{"role":"anon", "n":9007199254740993, "exp":${NOW + 60}}`;
  expect(await read(craftToken({ alg: 'HS256' }, payload))).toMatchObject({
    role: 'anon',
    claims: payload,
    subject: '',
  });
});

it.each<[string, () => string | Promise<string>, string, string]>([
  ['an empty text', () => '', 'MalformedJWT', 'The token provided is not a valid JWT'],
  ['a single word', () => 'secret', 'MalformedJWT', 'The token provided is not a valid JWT'],
  [
    'three parts that are not base64url',
    () => 'a.b.c',
    'MalformedJWT',
    'The token provided is not a valid JWT',
  ],
  [
    'an expired token',
    () => keys.sign({ role: 'anon', exp: NOW - 90 }),
    'InvalidJWTToken',
    'Token has expired 9\\d seconds ago',
  ],
  [
    'a token without a role',
    () => keys.sign({ exp: NOW + 60 }),
    'InvalidJWTToken',
    'Fields `role` and `exp` are required in JWT',
  ],
  [
    'a token without an expiry',
    () => keys.sign({ role: 'anon' }),
    'InvalidJWTToken',
    'Fields `role` and `exp` are required',
  ],
  [
    'a token with a fractional expiry',
    () => keys.sign({ role: 'anon', exp: NOW + 60.5 }),
    'InvalidJWTToken',
    'Fields',
  ],
  [
    'a token with the login role',
    () => keys.sign({ role: 'none', exp: NOW + 60 }),
    'InvalidJWTToken',
    'Fields',
  ],
  [
    'a token with the role that owns the messages',
    () => keys.sign({ role: 'supabase_realtime_admin', exp: NOW + 60 }),
    'InvalidJWTToken',
    'Fields',
  ],
  [
    'a token signed with an unknown secret',
    () => craftToken({ alg: 'HS256' }, `{"role":"anon","exp":${NOW + 60}}`, 'x'),
    'JwtSignatureError',
    'Failed to validate JWT signature',
  ],
  [
    'a token signed with an unknown key',
    () => craftToken({ alg: 'ES256', kid: 'x' }, '{}'),
    'JwtSignerError',
    'Failed to generate JWT signer, check',
  ],
  [
    'an unsigned token',
    () => `${Buffer.from('{"alg":"none"}').toString('base64url')}.e30.x`,
    'JwtSignerError',
    'Failed to generate',
  ],
  [
    'a token that is not valid yet',
    () => keys.sign({ role: 'anon', exp: NOW + 60, nbf: NOW + 30 }),
    'MalformedJWT',
    'not a valid JWT',
  ],
])('%s is rejected', async (_, token, code, message) => {
  await expect(Promise.resolve(token()).then(read)).rejects.toMatchObject({
    code,
    message: expect.stringMatching(message),
  });
});
