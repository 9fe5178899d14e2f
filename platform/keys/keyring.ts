/**
 * Signs and verifies JSON Web Tokens (RFC 7519) with the instance's keys: users' tokens with the key of their `kid`,
 * the anon and service_role keys and external tokens with the shared secret (HS256). Verified tokens are cached until
 * they expire, so that verifying a token again costs one hash.
 */
import { hash, hkdfSync } from 'node:crypto';
import {
  compactVerify,
  decodeProtectedHeader,
  type JWK,
  type JWTHeaderParameters,
  type JWTPayload,
  jwtVerify,
} from 'jose';
import { LRUCache } from 'lru-cache';
import { asJwtError, JwtError } from './jwt-error.ts';
import { readSigningKey, type SigningKey, secretSigner, signToken } from './signing-key.ts';

/** Maximum number of cached tokens; one entry is about a kilobyte. */
const MAX_CACHED_TOKENS = 10_000;
/** A longer token is rejected before any work is done on it. Large enough for 32 KiB of a user's own metadata. */
const MAX_TOKEN_LENGTH = 65_536;
const DERIVED_BYTES = 32;
/** Claim that distinguishes ID tokens from access tokens. */
const ID_TOKEN = { token_use: 'id' };
const THREE_PARTS = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** Verifies the tokens with which callers access data, files and channels. */
export interface AccessTokens {
  /** Verifies a token and returns its claims. Throws {@link JwtError}. */
  verify(token: string): Promise<Record<string, unknown>>;
  /**
   * Returns the claims of a token that one of the keys has signed, without validating its times, for callers that
   * validate `exp` and similar claims by their own rules. Does not use the cache. Throws {@link JwtError}.
   */
  verifySignature(token: string): Promise<Record<string, unknown>>;
  /** Whether a key with this id verifies tokens. */
  hasKey(kid: unknown): boolean;
  /** Whether verified claims are those of another issuer than the instance. */
  isFromThirdParty(claims: Record<string, unknown>): boolean;
}

/** The functions of the instance's own keys. */
export interface Keys extends AccessTokens {
  /**
   * Signs claims; the header contains the `kid` of the signing key. The caller sets `iat` and `exp` (seconds since the
   * epoch).
   */
  sign(claims: Record<string, unknown>): Promise<string>;
  /**
   * Signs the claims of an ID token (OpenID Connect Core §2). {@link verify} rejects such a token, because it
   * identifies a user and grants no access. Undefined if tokens are signed with a shared secret, which the recipients
   * do not have.
   */
  signIdToken: ((claims: Record<string, unknown>) => Promise<string>) | undefined;
  /** Derives 32 bytes for another purpose than tokens, always the same for one purpose (HKDF, RFC 5869). */
  derive(purpose: string): Buffer;
  /** Returns the public keys (RFC 7517); symmetric keys are never included. */
  jwks(): { keys: Record<string, unknown>[] };
}

/**
 * Options of {@link createKeyring}: the first key signs, the others only verify. `now` returns milliseconds since the
 * epoch.
 */
interface KeyringOptions {
  signingKeys: readonly [JWK, ...JWK[]];
  jwtSecret: string;
  /** Secret that {@link Keys.derive} uses. Default: `jwtSecret`. */
  derivationSecret?: string;
  /** Whether the shared secret signs (HS256), and all keys only verify. */
  signsWithSecret?: boolean;
  now?: () => number;
}

/** Creates a keyring from key material. Throws if a key cannot be read, or if the first cannot sign. */
export function createKeyring(options: KeyringOptions): Keys {
  const { signingKeys, jwtSecret, derivationSecret = jwtSecret, signsWithSecret = false } = options;
  const { now = Date.now } = options;
  const [first, ...others] = signingKeys;
  const firstKey = readSigningKey(first);
  if (firstKey.sign === undefined) throw new Error(`key ${firstKey.kid} has no private part and cannot sign`);
  const byId = new Map([firstKey, ...others.map(readSigningKey)].map((key) => [key.kid, key]));
  const published = {
    keys: [...byId.values()].flatMap((key) => (key.published === undefined ? [] : [key.published])),
  };
  const secret = new TextEncoder().encode(jwtSecret);
  const signer = signsWithSecret ? secretSigner(secret) : firstKey;
  const sharedSecret = { verifier: secret, algorithm: 'HS256' } as const;
  const cache = new LRUCache<string, JWTPayload>({ max: MAX_CACHED_TOKENS });

  /**
   * Selects the key by `kid`, and requires that key's own algorithm. Without a known `kid`, selects the shared secret
   * and requires HS256.
   */
  function verifierOf(token: string): Pick<SigningKey, 'verifier' | 'algorithm'> {
    const { alg, kid } = readHeader(token);
    const key = (kid === undefined ? undefined : byId.get(kid)) ?? sharedSecret;
    if (alg !== key.algorithm) throw new JwtError('signature', 'signing method is invalid');
    return key;
  }

  async function verifyUncached(token: string): Promise<JWTPayload> {
    const { verifier, algorithm } = verifierOf(token);
    const options = { currentDate: new Date(now()), algorithms: [algorithm] };
    return (await jwtVerify(token, verifier, options)).payload;
  }

  async function verifyWithoutTimes(token: string): Promise<JWTPayload> {
    const { verifier, algorithm } = verifierOf(token);
    const { payload } = await compactVerify(token, verifier, { algorithms: [algorithm] });
    return readPayload(payload);
  }

  return {
    sign: async (claims) => signToken(signer, claims),
    signIdToken:
      signer.algorithm === 'HS256'
        ? undefined
        : async (claims) => signToken(signer, { ...claims, ...ID_TOKEN }),
    async verify(token) {
      requireThreeParts(token);
      const id = hash('sha256', token, 'base64url');
      const known = cache.get(id);
      if (known !== undefined && isWithinLifetime(known, now())) return known;
      const payload = await verifyUncached(token).catch((error: unknown) => {
        throw asJwtError(error);
      });
      rejectIdToken(payload);
      cache.set(id, payload);
      return payload;
    },
    async verifySignature(token) {
      requireThreeParts(token);
      const payload = await verifyWithoutTimes(token).catch((error: unknown) => {
        throw asJwtError(error);
      });
      rejectIdToken(payload);
      return payload;
    },
    hasKey: (kid) => typeof kid === 'string' && byId.has(kid),
    isFromThirdParty: () => false,
    derive: (purpose) => Buffer.from(hkdfSync('sha256', derivationSecret, '', purpose, DERIVED_BYTES)),
    jwks: () => published,
  };
}

/** Throws {@link JwtError} for a text that is too long or not a token, before any other work is done on it. */
export function requireThreeParts(token: string): void {
  if (token.length <= MAX_TOKEN_LENGTH && THREE_PARTS.test(token)) return;
  throw new JwtError('malformed', 'token is malformed: it must have three base64url parts');
}

function rejectIdToken({ token_use: use }: JWTPayload): void {
  if (use === ID_TOKEN.token_use) throw new JwtError('claims', 'ID tokens are not accepted as access tokens');
}

function readPayload(payload: Uint8Array): JWTPayload {
  const claims: unknown = JSON.parse(new TextDecoder().decode(payload));
  if (typeof claims === 'object' && claims !== null && !Array.isArray(claims)) return claims as JWTPayload;
  throw new JwtError('malformed', 'token is malformed: its claims are not a JSON object');
}

function readHeader(token: string): JWTHeaderParameters {
  try {
    return decodeProtectedHeader(token) as JWTHeaderParameters;
  } catch (error) {
    throw new JwtError('malformed', 'token is malformed: its header cannot be read', error);
  }
}

function isWithinLifetime(claims: JWTPayload, nowMs: number): boolean {
  const seconds = Math.floor(nowMs / 1000);
  return (
    (claims.exp === undefined || claims.exp > seconds) && (claims.nbf === undefined || claims.nbf <= seconds)
  );
}
