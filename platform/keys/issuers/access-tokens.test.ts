/** Tokens of trusted issuers, with real keys and a real issuer over HTTP. */
import { createTestKeys, TEST_JWT_SECRET } from '@greenroom/testing';
import { exportSPKI, generateKeyPair, importJWK, SignJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AccessTokens, Keys } from '../keyring.ts';
import { acceptIssuers } from './access-tokens.ts';
import { startTokenIssuer, type TokenIssuer } from './testing/token-issuer.ts';

const FRESH_MS = 10 * 60_000;
const PAUSE_MS = 30_000;
const DAY_MS = 24 * 3_600_000;

let own: Keys;
let issuer: TokenIssuer;
let key: Awaited<ReturnType<TokenIssuer['addKey']>>;
/** Milliseconds since the epoch, which tests advance. */
let clock: number;
let failures: string[];
let tokens: AccessTokens;

const seconds = () => Math.floor(clock / 1000);

function accept(audience?: string): AccessTokens {
  const onFailure = (url: string, error: unknown) => failures.push(`${url}: ${(error as Error).message}`);
  return acceptIssuers(own, [{ url: issuer.url, audience }], { onFailure, now: () => clock });
}

beforeAll(async () => {
  own = await createTestKeys();
  issuer = await startTokenIssuer();
});
afterAll(() => issuer.close());

beforeEach(async () => {
  issuer.keys = [];
  issuer.respond = undefined;
  key = await issuer.addKey('one', 'ES256');
  issuer.requests = [];
  clock = Date.now();
  failures = [];
  tokens = accept();
});

describe('a token of a trusted issuer', () => {
  it.each(['RS256', 'PS256', 'ES256', 'ES384', 'EdDSA'])('is accepted with %s', async (alg) => {
    const { sign } = await issuer.addKey(`key ${alg}`, alg);
    const claims = { sub: 'ada', role: 'authenticated', token_use: 'id' };
    const token = await sign(claims);
    expect(await tokens.verify(token)).toMatchObject(claims);
    expect(await tokens.verifySignature(token)).toMatchObject(claims);
    expect(tokens.isFromThirdParty(await tokens.verify(token))).toBe(true);
    expect(tokens.hasKey(`key ${alg}`)).toBe(true);
  });

  it('is accepted with a trailing slash in its issuer, as Auth0 writes it', async () => {
    const document = { issuer: `${issuer.url}/`, jwks_uri: `${issuer.url}/keys` };
    issuer.respond = ({ url }, response) =>
      void response.end(JSON.stringify(url === '/keys' ? { keys: issuer.keys } : document));
    expect(await tokens.verify(await key.sign({ iss: `${issuer.url}/` }))).toMatchObject({
      iss: `${issuer.url}/`,
    });
  });

  it('must contain the audience, if one is required', async () => {
    const strict = accept('shop');
    expect(await strict.verify(await key.sign({ aud: 'shop' }))).toMatchObject({ aud: 'shop' });
    expect(await strict.verify(await key.sign({ aud: ['other', 'shop'] }))).toBeDefined();
    for (const aud of [undefined, 'other', ['other']]) {
      const token = await key.sign({ ...(aud !== undefined && { aud }) });
      await expect(strict.verify(token)).rejects.toMatchObject({ reason: 'claims' });
      await expect(strict.verifySignature(token)).rejects.toMatchObject({ reason: 'claims' });
    }
  });

  it.each<[string, string, () => Promise<string>]>([
    ['is expired', 'expired', () => key.sign({ exp: seconds() - 60 })],
    ['is not valid yet', 'claims', () => key.sign({ nbf: seconds() + 60 })],
    ['never expires', 'claims', () => key.sign({ exp: undefined })],
    ['names a key that the issuer does not publish', 'signature', () => key.sign({}, { kid: 'two' })],
    ['names no key', 'signature', () => key.sign({}, { kid: undefined })],
    ['names a key of the instance', 'signature', () => key.sign({}, { kid: ownKid() })],
    ['is from an issuer that is not trusted', 'signature', () => key.sign({ iss: 'https://other.test' })],
    ['names no issuer', 'signature', () => key.sign({ iss: undefined })],
    ['is signed with another key', 'signature', forged],
    ['brings its own key', 'signature', forgedWithKey],
    ['uses the public key as a shared secret', 'signature', symmetric],
    ['is not signed', 'signature', unsigned],
    ['has changed claims', 'signature', changed],
  ])('is rejected if it %s', async (_, reason, create) => {
    await expect(tokens.verify(await create())).rejects.toMatchObject({ name: 'JwtError', reason });
  });

  it('may be expired where only its signature is verified', async () => {
    const token = await key.sign({ exp: seconds() - 60, nbf: seconds() + 60 });
    expect(await tokens.verifySignature(token)).toMatchObject({ iss: issuer.url });
  });

  it('is not accepted as a token of the instance', async () => {
    await expect(own.verify(await key.sign())).rejects.toMatchObject({ reason: 'signature' });
  });
});

describe('a token of the instance', () => {
  it.each([
    ['signed with its key', () => own.sign({ iss: issuer.url, sub: 'ada', exp: seconds() + 60 })],
    ['signed with the shared secret', () => bySecret({ iss: issuer.url, sub: 'ada' })],
  ])('is accepted without a request to an issuer if %s', async (_, create) => {
    const token = await create();
    expect(await tokens.verify(token)).toMatchObject({ sub: 'ada' });
    expect(await tokens.verifySignature(token)).toMatchObject({ sub: 'ada' });
    expect(issuer.requests).toEqual([]);
  });

  it('is the only kind without issuers', () => {
    expect(acceptIssuers(own, [], { onFailure: () => undefined })).toBe(own);
  });
});

describe('the keys of an issuer', () => {
  const ONE_FETCH = ['/.well-known/openid-configuration', '/keys'];

  it('are fetched once for concurrent and for later tokens', async () => {
    const sent = await Promise.all(Array.from({ length: 20 }, (_, index) => key.sign({ sub: `${index}` })));
    await Promise.all(sent.map((token) => tokens.verify(token)));
    await Promise.all(sent.map((token) => tokens.verify(token)));
    expect(issuer.requests).toEqual(ONE_FETCH);
  });

  it('are fetched at most once in 30 s, whatever keys tokens name', async () => {
    await tokens.verify(await key.sign());
    for (let index = 0; index < 50; index += 1) {
      const unknown = await key.sign({}, { kid: `unknown ${index}` });
      await expect(tokens.verify(unknown)).rejects.toMatchObject({ reason: 'signature' });
    }
    expect(issuer.requests).toEqual(ONE_FETCH);
    clock += PAUSE_MS;
    const unknown = await Promise.all(
      Array.from({ length: 20 }, (_, index) => key.sign({}, { kid: `${index}` })),
    );
    await Promise.allSettled(unknown.map((token) => tokens.verify(token)));
    expect(issuer.requests).toEqual([...ONE_FETCH, ...ONE_FETCH]);
  });

  it('are fetched again for a token with a new key', async () => {
    await tokens.verify(await key.sign());
    const next = await issuer.addKey('two', 'ES256');
    clock += PAUSE_MS;
    expect(await tokens.verify(await next.sign({ sub: 'ada' }))).toMatchObject({ sub: 'ada' });
  });

  it('are rejected after the issuer has withdrawn them', async () => {
    await tokens.verify(await key.sign());
    await issuer.addKey('two', 'ES256');
    issuer.keys.shift();
    clock += FRESH_MS;
    const token = await key.sign({ exp: seconds() + 3600 });
    // This token starts the fetch and does not wait for it.
    await tokens.verify(token);
    await expect.poll(() => tokens.verify(token).catch(({ reason }) => reason)).toBe('signature');
  });

  it('remain in use for a day while the issuer is unavailable', async () => {
    await tokens.verify(await key.sign());
    issuer.respond = (_, response) => void response.writeHead(503).end();
    clock += DAY_MS - 1;
    const token = await key.sign({ exp: seconds() + DAY_MS / 1000 });
    expect(await tokens.verify(token)).toBeDefined();
    await expect.poll(() => failures.length).toBe(1);
    expect(failures[0]).toBe(`${issuer.url}: ${issuer.url}/.well-known/openid-configuration: HTTP 503`);
    clock += 1;
    await expect(tokens.verify(token)).rejects.toThrow('the keys of the issuer cannot be fetched');
    expect(tokens.hasKey('one')).toBe(false);
  });

  it('are not requested again for 30 s after a failure', async () => {
    issuer.respond = (_, response) => void response.writeHead(500).end();
    const token = await key.sign();
    for (let count = 0; count < 10; count += 1) {
      await expect(tokens.verify(token)).rejects.toMatchObject({ reason: 'signature' });
    }
    expect(issuer.requests.length).toBe(1);
    issuer.respond = undefined;
    clock += PAUSE_MS;
    expect(await tokens.verify(token)).toBeDefined();
  });
});

function ownKid(): string {
  return String(own.jwks().keys[0]?.kid);
}

function bySecret(claims: Record<string, unknown>): Promise<string> {
  const token = new SignJWT({ ...claims, exp: seconds() + 60 }).setProtectedHeader({ alg: 'HS256' });
  return token.sign(new TextEncoder().encode(TEST_JWT_SECRET));
}

function claimed(header: { alg: string; jwk?: object }): SignJWT {
  return new SignJWT({ iss: issuer.url, exp: seconds() + 60 }).setProtectedHeader({ kid: 'one', ...header });
}

async function forged(): Promise<string> {
  return claimed({ alg: 'ES256' }).sign((await generateKeyPair('ES256')).privateKey);
}

async function forgedWithKey(): Promise<string> {
  const other = await issuer.addKey('other', 'ES256');
  issuer.keys.pop();
  return other.sign({}, { kid: 'one', jwk: other.published, jku: `${issuer.url}/others` });
}

async function symmetric(): Promise<string> {
  const pem = await exportSPKI((await importJWK(key.published, 'ES256')) as CryptoKey);
  return claimed({ alg: 'HS256' }).sign(new TextEncoder().encode(pem));
}

async function unsigned(): Promise<string> {
  const [, payload] = (await key.sign()).split('.');
  return `${encode({ alg: 'none', kid: 'one' })}.${payload}.AA`;
}

async function changed(): Promise<string> {
  const [header, , signature] = (await key.sign()).split('.');
  return `${header}.${encode({ iss: issuer.url, exp: seconds() + 60, role: 'service_role' })}.${signature}`;
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
