import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { exportJWK, SignJWT } from 'jose';
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
  keys = createKeyring({ signingKey: file.signingKey, jwtSecret: file.jwtSecret, now: () => nowMs });
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
