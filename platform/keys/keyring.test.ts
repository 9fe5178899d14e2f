import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { decodeProtectedHeader, exportJWK, type JWK, SignJWT } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  createApiKeyReader,
  createApiKeys,
  createKeyring,
  generateKeyFile,
  JwtError,
  type KeyFile,
  type Keys,
} from './index.ts';

const NOW_SECONDS = 1_700_000_000;
let file: KeyFile;
let nowMs = NOW_SECONDS * 1000;
let keys: Keys;

beforeAll(async () => {
  file = await generateKeyFile(NOW_SECONDS);
  keys = createKeyring({ signingKeys: [file.signingKey], jwtSecret: file.jwtSecret, now: () => nowMs });
});

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const claims = { sub: 'u', role: 'authenticated', exp: NOW_SECONDS + 60 };
const hs256 = (secret: string, payload: Record<string, unknown> = claims) =>
  new SignJWT(payload).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(secret));

async function refusal(token: string): Promise<string> {
  const error = await keys.verify(token).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(JwtError);
  return (error as JwtError).reason;
}

describe('verify', () => {
  it('gives the claims of what was signed, again and again', async () => {
    const token = await keys.sign(claims);
    expect(await keys.verify(token)).toEqual(claims);
    expect(await keys.verify(token)).toEqual(claims);
  });

  it('accepts HS256 with the shared secret', async () => {
    expect(await keys.verify(await hs256(file.jwtSecret))).toEqual(claims);
  });

  it('refuses a remembered token once it has expired', async () => {
    const token = await keys.sign(claims);
    await keys.verify(token);
    nowMs = (NOW_SECONDS + 60) * 1000;
    expect(await refusal(token)).toBe('expired');
    nowMs = NOW_SECONDS * 1000;
  });

  it('refuses alg none, another secret, another key, changed claims, and a public key used as secret', async () => {
    const [header = '', , signature = ''] = (await keys.sign(claims)).split('.');
    const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    const foreign = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'ES256', kid: file.signingKey.kid ?? '' })
      .sign(other);
    const publicJwk = JSON.stringify(await exportJWK(other));
    expect(await refusal(`${encode({ alg: 'none' })}.${encode(claims)}.AA`)).toBe('signature');
    expect(await refusal(await hs256('another-secret-of-sufficient-length!'))).toBe('signature');
    expect(await refusal(await hs256(publicJwk))).toBe('signature');
    expect(await refusal(foreign)).toBe('signature');
    expect(await refusal(`${header}.${encode({ ...claims, sub: 'x' })}.${signature}`)).toBe('signature');
  });

  it.each([
    ['nothing', ''],
    ['two parts', 'a.b'],
    ['four parts', 'a.b.c.d'],
    ['signs outside of base64url', 'a.b+.c'],
    ['a header that is no JSON', 'AAAA.AAAA.AAAA'],
    ['a huge token', `a.${'b'.repeat(20_000)}.c`],
  ])('takes %s for malformed', async (_, token) => {
    expect(await refusal(token)).toBe('malformed');
  });

  it('refuses a token that is not valid yet', async () => {
    expect(await refusal(await hs256(file.jwtSecret, { ...claims, nbf: NOW_SECONDS + 30 }))).toBe('claims');
  });

  it('answers any text with a JwtError and nothing else', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), fc.string(), fc.string(), async (a, b, c) => {
        await expect(keys.verify(`${a}.${b}.${c}`)).rejects.toBeInstanceOf(JwtError);
      }),
    );
  });
});

describe('jwks', () => {
  it('lists the public key only', () => {
    const [key] = keys.jwks().keys;
    expect(key).toMatchObject({ kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig', key_ops: ['verify'] });
    expect(key).not.toHaveProperty('d');
    expect(JSON.stringify(keys.jwks())).not.toContain(file.jwtSecret);
  });
});

describe('keys of other algorithms', () => {
  const pair = (type: 'rsa' | 'ed25519') =>
    type === 'rsa' ? generateKeyPairSync('rsa', { modulusLength: 2048 }) : generateKeyPairSync('ed25519');
  const jwkOf = (type: 'rsa' | 'ed25519', kid: string) => ({
    ...pair(type).privateKey.export({ format: 'jwk' }),
    kid,
  });
  const secret = { kty: 'oct', k: Buffer.alloc(32, 7).toString('base64url'), kid: 'secret' };
  const ring = (...signingKeys: [JWK, ...JWK[]]) =>
    createKeyring({ signingKeys, jwtSecret: file.jwtSecret, now: () => nowMs });

  it.each([
    ['RS256', () => jwkOf('rsa', 'k')],
    ['EdDSA', () => jwkOf('ed25519', 'k')],
    ['HS256', () => secret],
  ])('sign and verify with %s', async (alg, key) => {
    const jwk = key() as JWK;
    const own = ring(jwk);
    const token = await own.sign(claims);
    expect(decodeProtectedHeader(token)).toEqual({ alg, typ: 'JWT', kid: jwk.kid });
    expect(await ring(file.signingKey, jwk).verify(token)).toEqual(claims);
    expect(JSON.stringify(own.jwks())).not.toContain(jwk.d ?? jwk.k);
    expect(own.jwks().keys).toHaveLength(alg === 'HS256' ? 0 : 1);
  });

  it('verify tokens of a standby key, and not those of one that was taken away', async () => {
    const former = jwkOf('rsa', 'former');
    const token = await ring(former).sign(claims);
    expect(await ring(file.signingKey, former).verify(token)).toEqual(claims);
    await expect(ring(file.signingKey).verify(token)).rejects.toMatchObject({ reason: 'signature' });
  });

  it('take no algorithm but their own', async () => {
    const key = jwkOf('rsa', 'k');
    const publicKey = createPublicKey({ key, format: 'jwk' });
    const confused = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', kid: 'k' })
      .sign(publicKey.export({ type: 'spki', format: 'der' }));
    await expect(ring(key as JWK).verify(confused)).rejects.toMatchObject({ reason: 'signature' });
    const shared = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', kid: 'k' })
      .sign(new TextEncoder().encode(file.jwtSecret));
    await expect(ring(key as JWK).verify(shared)).rejects.toMatchObject({ reason: 'signature' });
  });

  it('that a token brings along count for nothing', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const jwk = publicKey.export({ format: 'jwk' }) as JWK;
    const token = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'ES256', jwk, jku: 'https://evil.test/jwks.json' })
      .sign(privateKey);
    await expect(keys.verify(token)).rejects.toMatchObject({ reason: 'signature' });
  });

  it.each([
    ['no kid', { kty: 'oct', k: secret.k }],
    ['another curve', { kty: 'EC', crv: 'P-384', kid: 'k' }],
    ['another algorithm than its own', { ...secret, alg: 'HS512' }],
    ['a short secret', { kty: 'oct', k: 'c2hvcnQ', kid: 'k' }],
    ['a point that is none', { kty: 'EC', crv: 'P-256', x: 'x', y: 'y', kid: 'k' }],
    [
      'a short modulus',
      {
        ...generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey.export({ format: 'jwk' }),
        kid: 'k',
      },
    ],
    ['no private half', { ...generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }), kid: 'k' }],
  ])('are refused with %s', (_, jwk) => {
    expect(() => ring(jwk as JWK)).toThrow(/key/);
  });
});

describe('derive', () => {
  it('gives other bytes for another purpose or secret, and the same again', () => {
    const again = createKeyring({ signingKeys: [file.signingKey], jwtSecret: file.jwtSecret });
    const other = createKeyring({
      signingKeys: [file.signingKey],
      jwtSecret: 'another-secret-of-sufficient-length!',
    });
    expect(keys.derive('a')).toHaveLength(32);
    expect(keys.derive('a')).toEqual(again.derive('a'));
    expect(keys.derive('a')).not.toEqual(keys.derive('b'));
    expect(keys.derive('a')).not.toEqual(other.derive('a'));
  });
});

describe('API keys', () => {
  it('stay the same for the same material', async () => {
    expect(await createApiKeys(file)).toEqual(await createApiKeys(file));
  });

  it('stand for their roles; anything else for none', async () => {
    const apiKeys = await createApiKeys(file);
    const read = createApiKeyReader(apiKeys, keys);
    expect((await read(apiKeys.anon))?.role).toBe('anon');
    expect((await read(apiKeys.serviceRole))?.role).toBe('service_role');
    expect(await read(apiKeys.publishable)).toEqual({ role: 'anon', token: apiKeys.anon });
    expect(await read(apiKeys.secret)).toEqual({ role: 'service_role', token: apiKeys.serviceRole });
    expect((await read(await keys.sign(claims)))?.role).toBe('authenticated');
    for (const wrong of ['', 'sb_secret_wrong', `${apiKeys.secret}x`, 'a.b.c'])
      expect(await read(wrong)).toBeUndefined();
  });
});
