/** Keys that sign and verify tokens (RFC 7517), read from JSON Web Keys and validated once. */
import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  type KeyObject,
  sign,
} from 'node:crypto';
import type { JWK } from 'jose';
import { joseSignature } from './jose-signature.ts';

/** The supported algorithms of tokens (RFC 7518 §3.1, RFC 8037 §3.1). */
type SigningAlgorithm = 'ES256' | 'RS256' | 'EdDSA' | 'HS256';

/** A key that signs tokens. */
interface Signer {
  /** Key id for the header of tokens; the shared secret has none. */
  kid: string | undefined;
  algorithm: SigningAlgorithm;
  /** Signs the text of a token's header and payload; undefined if only the public half is known. */
  sign: ((text: string) => Buffer) | undefined;
}

/** A key that tokens refer to by its `kid`. */
export interface SigningKey extends Signer {
  kid: string;
  /** The key for verification: the public key, or the bytes of a shared secret. */
  verifier: KeyObject | Uint8Array;
  /** The public key as a JSON Web Key; undefined if the key is a shared secret. */
  published: Record<string, unknown> | undefined;
}

const MIN_RSA_BITS = 2048;
/** RFC 7518 §3.2: the key must be as long as the hash. */
const MIN_SECRET_BYTES = 32;

/** Reads a JSON Web Key. Throws an `Error` that describes the problem, and never contains the key. */
export function readSigningKey(jwk: JWK): SigningKey {
  const { kid } = jwk;
  if (typeof kid !== 'string' || kid === '') throw new Error('a signing key has no kid');
  const algorithm = algorithmOf(jwk);
  return algorithm === 'HS256' ? secretKey(kid, jwk) : keyPair(kid, algorithm, jwk);
}

function algorithmOf({ kty, crv, alg, kid }: JWK): SigningAlgorithm {
  const algorithm = { 'EC P-256': 'ES256', RSA: 'RS256', 'OKP Ed25519': 'EdDSA', oct: 'HS256' }[
    [kty, crv].filter(Boolean).join(' ')
  ];
  if (algorithm === undefined || (alg !== undefined && alg !== algorithm)) {
    throw new Error(`key ${kid} is not a key for ES256, RS256, EdDSA (Ed25519) or HS256`);
  }
  return algorithm as SigningAlgorithm;
}

function secretKey(kid: string, { k }: JWK): SigningKey {
  const secret = Buffer.from(typeof k === 'string' ? k : '', 'base64url');
  if (secret.length < MIN_SECRET_BYTES)
    throw new Error(`key ${kid} has fewer than ${MIN_SECRET_BYTES} bytes`);
  const { sign } = secretSigner(secret);
  return { kid, algorithm: 'HS256', sign, verifier: new Uint8Array(secret), published: undefined };
}

/** Returns a signer that uses a shared secret. */
export function secretSigner(secret: Uint8Array): Signer {
  const key = createSecretKey(secret);
  const sign = (text: string) => createHmac('sha256', key).update(text).digest();
  return { kid: undefined, algorithm: 'HS256', sign };
}

function keyPair(kid: string, algorithm: Exclude<SigningAlgorithm, 'HS256'>, jwk: JWK): SigningKey {
  const publicKey = asKey(kid, () => createPublicKey({ key: { ...jwk }, format: 'jwk' }));
  const bits = publicKey.asymmetricKeyDetails?.modulusLength ?? MIN_RSA_BITS;
  if (bits < MIN_RSA_BITS) throw new Error(`key ${kid} has fewer than ${MIN_RSA_BITS} bits`);
  const privateKey = jwk.d && asKey(kid, () => createPrivateKey({ key: { ...jwk }, format: 'jwk' }));
  const published = {
    ...publicKey.export({ format: 'jwk' }),
    kid,
    alg: algorithm,
    use: 'sig',
    key_ops: ['verify'],
  };
  const base = { kid, algorithm, verifier: publicKey, published };
  return { ...base, sign: privateKey ? signerOf(algorithm, privateKey) : undefined };
}

function asKey(kid: string, read: () => KeyObject): KeyObject {
  try {
    return read();
  } catch {
    throw new Error(`key ${kid} cannot be read`);
  }
}

/**
 * Signs with the plain key, and for ES256 converts the signature itself: with the option that selects the format,
 * Node.js takes twice as long.
 */
function signerOf(algorithm: SigningAlgorithm, key: KeyObject): (text: string) => Buffer {
  if (algorithm === 'ES256') return (text) => joseSignature(sign('sha256', Buffer.from(text), key));
  const hash = algorithm === 'EdDSA' ? null : 'sha256';
  return (text) => sign(hash, Buffer.from(text), key);
}

/**
 * Creates a signed token (RFC 7515 §3.1). Signs on this thread, because another thread would cost more than the
 * signature.
 */
export function signToken(key: Signer, claims: Record<string, unknown>): string {
  if (key.sign === undefined) throw new Error(`key ${key.kid} has no private part and cannot sign`);
  const header = encode({ alg: key.algorithm, typ: 'JWT', kid: key.kid });
  const text = `${header}.${encode(claims)}`;
  return `${text}.${key.sign(text).toString('base64url')}`;
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
