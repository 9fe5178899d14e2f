import { createHmac, createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
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
  const reason = reasonOf(await thrownBy(keys.verify(token)));
  // The expected errors do not depend on the time, so these tokens have no expiry.
  if (reason === 'malformed' || reason === 'signature') {
    expect(reasonOf(await thrownBy(keys.verifySignature(token)))).toBe(reason);
  }
  return reason;
}

async function thrownBy(verifying: Promise<unknown>): Promise<unknown> {
  return verifying.then(
    () => undefined,
    (reason: unknown) => reason,
  );
}

function reasonOf(error: unknown): string {
  expect(error).toBeInstanceOf(JwtError);
  return (error as JwtError).reason;
}

describe('verify', () => {
  it('returns the claims of a signed token, repeatedly', async () => {
    const token = await keys.sign(claims);
    expect(await keys.verify(token)).toEqual(claims);
    expect(await keys.verify(token)).toEqual(claims);
  });

  it('accepts HS256 with the shared secret', async () => {
    expect(await keys.verify(await hs256(file.jwtSecret))).toEqual(claims);
  });

  it('rejects ID tokens', async () => {
    const token = (await keys.signIdToken?.(claims)) ?? '';
    expect(decodeProtectedHeader(token).alg).toBe('ES256');
    expect(await refusal(token)).toBe('claims');
    expect(await refusal(token)).toBe('claims');
  });

  it('signs no ID tokens with a shared secret', () => {
    const options = {
      signingKeys: [file.signingKey],
      jwtSecret: file.jwtSecret,
      signsWithSecret: true,
    } as const;
    expect(createKeyring({ ...options, signingKeys: [file.signingKey] }).signIdToken).toBeUndefined();
  });

  it('rejects a cached token once it has expired', async () => {
    const token = await keys.sign(claims);
    await keys.verify(token);
    nowMs = (NOW_SECONDS + 60) * 1000;
    expect(await refusal(token)).toBe('expired');
    nowMs = NOW_SECONDS * 1000;
  });

  it('rejects alg none, another secret, another key, changed claims, and a public key used as secret', async () => {
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
    ['an empty text', ''],
    ['two parts', 'a.b'],
    ['four parts', 'a.b.c.d'],
    ['characters outside of base64url', 'a.b+.c'],
    ['a header that is not JSON', 'AAAA.AAAA.AAAA'],
    ['a token of 20 KB', `a.${'b'.repeat(20_000)}.c`],
  ])('reports %s as malformed', async (_, token) => {
    expect(await refusal(token)).toBe('malformed');
  });

  it('rejects a token that is not valid yet', async () => {
    expect(await refusal(await hs256(file.jwtSecret, { ...claims, nbf: NOW_SECONDS + 30 }))).toBe('claims');
  });

  it('rejects any text with a JwtError', async () => {
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

  it('verify tokens of a standby key, and reject those of a removed one', async () => {
    const former = jwkOf('rsa', 'former');
    const token = await ring(former).sign(claims);
    expect(await ring(file.signingKey, former).verify(token)).toEqual(claims);
    await expect(ring(file.signingKey).verify(token)).rejects.toMatchObject({ reason: 'signature' });
  });

  it('accept no algorithm except their own', async () => {
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

  it('are ignored if they are part of the token', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const jwk = publicKey.export({ format: 'jwk' }) as JWK;
    const token = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'ES256', jwk, jku: 'https://evil.test/jwks.json' })
      .sign(privateKey);
    await expect(keys.verify(token)).rejects.toMatchObject({ reason: 'signature' });
  });

  it.each([
    ['a missing kid', { kty: 'oct', k: secret.k }],
    ['an unsupported curve', { kty: 'EC', crv: 'P-384', kid: 'k' }],
    ['an algorithm of another key type', { ...secret, alg: 'HS512' }],
    ['a short secret', { kty: 'oct', k: 'c2hvcnQ', kid: 'k' }],
    ['an invalid point', { kty: 'EC', crv: 'P-256', x: 'x', y: 'y', kid: 'k' }],
    [
      'a short modulus',
      {
        ...generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey.export({ format: 'jwk' }),
        kid: 'k',
      },
    ],
    [
      'a missing private part',
      { ...generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }), kid: 'k' },
    ],
  ])('are rejected with %s', (_, jwk) => {
    expect(() => ring(jwk as JWK)).toThrow(/key/);
  });
});

describe('the shared secret', () => {
  it('signs with HS256 and without a kid, and the keys continue to verify', async () => {
    const before = await keys.sign(claims);
    const own = createKeyring({
      signingKeys: [file.signingKey],
      jwtSecret: file.jwtSecret,
      signsWithSecret: true,
      now: () => nowMs,
    });
    const token = await own.sign(claims);
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'HS256', typ: 'JWT' });
    for (const ring of [own, keys]) expect(await ring.verify(token)).toEqual(claims);
    expect(await own.verify(before)).toEqual(claims);
    expect(own.jwks()).toEqual(keys.jwks());
  });
});

describe('forged tokens', () => {
  type Header = Record<string, unknown>;
  const forge = (header: Header, sign: (text: string) => Buffer) => {
    const text = `${encode({ typ: 'JWT', ...header })}.${encode(claims)}`;
    return `${text}.${sign(text).toString('base64url')}`;
  };
  const withSecret = (secret: string | Buffer) => (text: string) =>
    createHmac('sha256', secret).update(text).digest();
  const unknownKey = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const signedByUnknownKey = (text: string) =>
    sign('sha256', Buffer.from(text), { key: unknownKey.privateKey, dsaEncoding: 'ieee-p1363' });
  const bytes = (length: number) => () => Buffer.alloc(length);
  const kid = () => file.signingKey.kid;
  const publicKey = () => createPublicKey({ key: { ...file.signingKey }, format: 'jwk' });
  const publicJwk = () => keys.jwks().keys[0] ?? {};

  it.each<[string, () => string]>(
    ['none', 'None', 'NONE', '', null, undefined, ['ES256'], 'HS512', 'ES384', 'RS256', 'PS256'].flatMap(
      (alg) => [
        [`algorithm ${JSON.stringify(alg)}`, () => forge({ alg }, bytes(64))],
        [`algorithm ${JSON.stringify(alg)} and our kid`, () => forge({ alg, kid: kid() }, bytes(64))],
      ],
    ),
  )('are rejected with %s', async (_, token) => {
    expect(['signature', 'malformed']).toContain(await refusal(token()));
  });

  it.each<[string, () => string | Buffer]>([
    ['the public key in PEM', () => publicKey().export({ type: 'spki', format: 'pem' })],
    ['the public key in DER', () => publicKey().export({ type: 'spki', format: 'der' })],
    ['the public key in JSON', () => JSON.stringify(publicJwk())],
    ['one coordinate of the public key', () => Buffer.from(String(publicJwk().x), 'base64url')],
    ['the kid', () => String(kid())],
    ['an empty text', () => ''],
  ])('are rejected with HS256 and %s as secret', async (_, secret) => {
    expect(await refusal(forge({ alg: 'HS256' }, withSecret(secret())))).toBe('signature');
    expect(await refusal(forge({ alg: 'HS256', kid: kid() }, withSecret(secret())))).toBe('signature');
  });

  it.each<[unknown]>([
    ['../../../../dev/null'],
    ["x' union select 'secret"],
    ['__proto__'],
    ['constructor'],
    [''],
    [0],
    [null],
    [['a']],
    [{ toString: 'a' }],
    [`${'a'.repeat(4096)}`],
  ])('are rejected with kid %j', async (injected) => {
    const header = { kid: injected };
    expect(await refusal(forge({ ...header, alg: 'ES256' }, signedByUnknownKey))).toBe('signature');
    expect(await refusal(forge({ ...header, alg: 'HS256' }, withSecret('')))).toBe('signature');
    expect(await refusal(forge({ ...header, alg: 'HS256' }, withSecret(JSON.stringify(injected))))).toBe(
      'signature',
    );
  });

  it.each<[string, () => Header]>([
    ['jwk', () => ({ jwk: unknownKey.publicKey.export({ format: 'jwk' }) })],
    ['jku', () => ({ jku: 'https://evil.test/jwks.json' })],
    ['x5u', () => ({ x5u: 'https://evil.test/key.pem' })],
    [
      'x5c',
      () => ({ x5c: [unknownKey.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')] }),
    ],
  ])('are rejected with a key of their own in %s', async (_, header) => {
    for (const named of [{}, { kid: kid() }, { kid: 'evil' }]) {
      expect(await refusal(forge({ alg: 'ES256', ...named, ...header() }, signedByUnknownKey))).toBe(
        'signature',
      );
    }
  });

  it.each<[string, (text: string) => Buffer]>([
    ['of zeros', bytes(64)],
    ['of ones', () => Buffer.alloc(64, 0xff)],
    ['too short', bytes(63)],
    ['too long', bytes(65)],
    [
      'in DER',
      (text) =>
        sign('sha256', Buffer.from(text), createPrivateKey({ key: { ...file.signingKey }, format: 'jwk' })),
    ],
  ])('are rejected with a signature %s', async (_, signature) => {
    expect(await refusal(forge({ alg: 'ES256', kid: kid() }, signature))).toBe('signature');
  });

  it.each<[string, Header]>([
    ['an extension declared as critical', { crit: ['exp'] }],
    ['an unencoded payload', { crit: ['b64'], b64: false }],
  ])('are rejected with %s', async (_, header) => {
    const text = `${encode({ alg: 'HS256', ...header })}.${encode(claims)}`;
    const token = `${text}.${withSecret(file.jwtSecret)(text).toString('base64url')}`;
    expect(['malformed', 'signature']).toContain(await refusal(token));
  });
});

describe('verifySignature', () => {
  it.each([
    ['has expired', { exp: NOW_SECONDS - 3600 }],
    ['is not valid yet', { nbf: NOW_SECONDS + 3600 }],
    ['has times of another type', { exp: 'never', nbf: [] }],
  ])('returns the claims of a token that %s', async (_, payload) => {
    expect(await keys.verifySignature(await keys.sign(payload))).toEqual(payload);
    const text = `${encode({ alg: 'HS256' })}.${encode(payload)}`;
    const bySecret = createHmac('sha256', file.jwtSecret).update(text).digest('base64url');
    expect(await keys.verifySignature(`${text}.${bySecret}`)).toEqual(payload);
  });

  it('rejects claims that are not an object, and ID tokens', async () => {
    const text = `${encode({ alg: 'HS256' })}.${encode([1])}`;
    const signature = createHmac('sha256', file.jwtSecret).update(text).digest('base64url');
    expect(reasonOf(await thrownBy(keys.verifySignature(`${text}.${signature}`)))).toBe('malformed');
    const idToken = await keys.signIdToken?.(claims);
    expect(reasonOf(await thrownBy(keys.verifySignature(idToken ?? '')))).toBe('claims');
  });
});

describe('derive', () => {
  it('returns the same bytes for the same purpose and secret, and different bytes otherwise', () => {
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
  it('are the same for the same keys and secret', async () => {
    expect(await createApiKeys(file)).toEqual(await createApiKeys(file));
  });

  it('resolve to their roles, and any other text to no role', async () => {
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
