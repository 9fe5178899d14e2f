/** Verifies the signatures of tokens with the instance's keys or a configured secret. */
import { createPublicKey, type KeyObject } from 'node:crypto';
import { type AccessTokens, JwtError } from '@greenroom/keys';
import { compactVerify, decodeProtectedHeader, type JWK } from 'jose';
import { failure } from '../errors.ts';

/** Verifies the signature of a token of three parts. Throws PGRST301. */
export type TokenVerifier = (token: string) => Promise<void>;

/** RFC 7518 §3.2 requires a key at least as long as the hash. */
const MIN_SECRET_BYTES = 32;
const MIN_RSA_BITS = 2048;
const ALGORITHMS: Record<string, readonly string[]> = {
  oct: ['HS256', 'HS384', 'HS512'],
  RSA: ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  'EC P-256': ['ES256'],
  'EC P-384': ['ES384'],
  'EC P-521': ['ES512'],
  'OKP Ed25519': ['EdDSA', 'Ed25519'],
};

/** Creates a verifier with the keys of the instance and of the issuers that it trusts. */
export function keyringVerifier(keys: Pick<AccessTokens, 'verifySignature'>): TokenVerifier {
  return async (token) => {
    try {
      await keys.verifySignature(token);
    } catch (error) {
      if (!(error instanceof JwtError)) throw error;
      throw error.reason === 'malformed' ? unreadable(error) : noKey(error);
    }
  };
}

/**
 * Creates a verifier with a configured secret: a shared secret (in base64 if `isBase64`), a JSON Web Key, or a set of them
 * (RFC 7517). Throws an `Error` if the secret is invalid; its message never contains the secret.
 */
export function secretVerifier(secret: string, { isBase64 = false } = {}): TokenVerifier {
  const keys = readKeys(secret, isBase64);
  return async (token) => {
    const { alg = '', kid } = readHeader(token);
    if (alg === 'none') throw wrongAlgorithm("JWT is unsecured but expected 'alg' was not 'none'");
    const candidates = keys.filter((key) => kid === undefined || key.kid === kid);
    const usable = candidates.filter(({ algorithms }) => algorithms.includes(alg));
    if (candidates.length > 0 && usable.length === 0) {
      throw wrongAlgorithm(null);
    }
    for (const { key } of usable) if (await isSignedBy(token, key, alg)) return;
    throw noKey();
  };
}

/**
 * Creates a verifier that tries the instance's own keys first and then the configured secret. Returns undefined if there is
 * neither.
 */
export function verifierOf(
  own: TokenVerifier | undefined,
  secret: { text: string; isBase64: boolean } | undefined,
): TokenVerifier | undefined {
  if (secret === undefined) return own;
  const configured = secretVerifier(secret.text, secret);
  if (own === undefined) return configured;
  return (token) => own(token).catch(() => configured(token));
}

interface VerifyingKey {
  kid: string | undefined;
  algorithms: readonly string[];
  key: KeyObject | Uint8Array;
}

function readKeys(secret: string, isBase64: boolean): VerifyingKey[] {
  const json = isBase64 ? undefined : asJson(secret);
  if (json === undefined) return [sharedSecret(Buffer.from(secret, isBase64 ? 'base64' : 'utf8'), {})];
  const keys = Array.isArray(json.keys) ? (json.keys as JWK[]) : [json as JWK];
  if (keys.length === 0) throw new Error('the set of token keys is empty');
  return keys.map(readKey);
}

/**
 * Parses the secret as a JSON object. Returns undefined for other text, which is a shared secret, even if it is valid
 * JSON.
 */
function asJson(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function readKey(jwk: JWK): VerifyingKey {
  if (jwk?.kty === 'oct') return sharedSecret(Buffer.from(jwk.k ?? '', 'base64url'), jwk);
  const known = jwk && ALGORITHMS[[jwk.kty, jwk.crv].filter(Boolean).join(' ')];
  if (!known) throw new Error('a token key must be of type oct, RSA, EC or OKP (Ed25519)');
  const key = readPublicKey(jwk);
  const bits = key.asymmetricKeyDetails?.modulusLength ?? MIN_RSA_BITS;
  if (bits < MIN_RSA_BITS) throw new Error(`an RSA token key has fewer than ${MIN_RSA_BITS} bits`);
  return { ...limits(jwk, known), key };
}

/** Imports the public key, also from a private key. */
function readPublicKey(jwk: JWK): KeyObject {
  try {
    return createPublicKey({ key: { ...jwk }, format: 'jwk' });
  } catch {
    throw new Error('a token key cannot be read');
  }
}

function sharedSecret(bytes: Buffer, jwk: Partial<JWK>): VerifyingKey {
  if (bytes.length < MIN_SECRET_BYTES) {
    throw new Error(`the token secret has ${bytes.length} bytes; at least ${MIN_SECRET_BYTES} are required`);
  }
  return { ...limits(jwk, ALGORITHMS.oct ?? []), key: new Uint8Array(bytes) };
}

function limits({ kid, alg }: Partial<JWK>, known: readonly string[]) {
  return { kid, algorithms: alg === undefined ? known : known.filter((name) => name === alg) };
}

function readHeader(token: string): { alg?: string; kid?: string } {
  try {
    return decodeProtectedHeader(token);
  } catch (error) {
    throw unreadable(error);
  }
}

function noKey(cause?: unknown) {
  const message = 'No suitable key or wrong key type';
  return failure('PGRST301', {
    message,
    extra: { details: 'None of the keys was able to decode the JWT' },
    cause,
  });
}

function unreadable(cause: unknown) {
  return failure('PGRST301', { message: 'JWT cryptographic operation failed', cause });
}

function wrongAlgorithm(details: string | null) {
  return failure('PGRST301', { message: 'Wrong or unsupported encoding algorithm', extra: { details } });
}

async function isSignedBy(token: string, key: VerifyingKey['key'], alg: string): Promise<boolean> {
  return compactVerify(token, key, { algorithms: [alg] }).then(
    () => true,
    () => false,
  );
}
