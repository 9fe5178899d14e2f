/** Stands for djwt: tokens (RFC 7519) that are signed with keys of Web Crypto. */
import { decodeBase64Url, encodeBase64Url } from './std/base64url.ts';

/** The header of a token. */
export type Header = { alg: string } & Record<string, unknown>;

/** The claims of a token. */
export type Payload = {
  iss?: string;
  sub?: string;
  aud?: string | string[] | null;
  exp?: number;
  nbf?: number;
  iat?: number;
  jti?: string;
} & Record<string, unknown>;

/** Options of {@link verify}. */
export interface VerifyOptions {
  /** Seconds that `exp` may be in the past, and `nbf` in the future. Default: 1. */
  expLeeway?: number;
  nbfLeeway?: number;
  ignoreExp?: boolean;
  ignoreNbf?: boolean;
  /** One of these must be in `aud`. */
  audience?: string | string[] | RegExp;
  /** Accepts claims. */
  predicates?: ((payload: Payload) => boolean)[];
}

/** Parameters of Web Crypto by the name of an algorithm in tokens. */
function parametersOf(alg: string) {
  const hash = { name: `SHA-${alg.slice(2)}` };
  switch (alg.slice(0, 2)) {
    case 'HS':
      return { name: 'HMAC', hash };
    case 'RS':
      return { name: 'RSASSA-PKCS1-v1_5', hash };
    case 'PS':
      return { name: 'RSA-PSS', hash, saltLength: Number(alg.slice(2)) / 8 };
    case 'ES':
      return { name: 'ECDSA', hash };
    default:
      throw new Error(`The algorithm ${alg} of the token is not supported.`);
  }
}

function requireKeyFor(alg: string, key: CryptoKey): void {
  const { name, hash } = parametersOf(alg);
  const { name: keyName, hash: keyHash } = key.algorithm as { name: string; hash?: { name: string } };
  if (name !== keyName || (keyHash !== undefined && keyHash.name !== hash.name))
    throw new Error(`The key does not fit the algorithm ${alg} of the token.`);
}

const encodePart = (part: object) => encodeBase64Url(JSON.stringify(part));

/** Returns a signed token. With the algorithm `none` and no key, its signature is empty. */
export async function create(header: Header, payload: Payload, key: CryptoKey | null): Promise<string> {
  const text = `${encodePart(header)}.${encodePart(payload)}`;
  if (key === null && header.alg === 'none') return `${text}.`;
  if (key === null) throw new Error(`The algorithm ${header.alg} needs a key.`);
  requireKeyFor(header.alg, key);
  const signature = await crypto.subtle.sign(parametersOf(header.alg), key, new TextEncoder().encode(text));
  return `${text}.${encodeBase64Url(signature)}`;
}

/** Returns header, claims and signature without a check of the signature. Throws if the token is not valid. */
export function decode<P = Payload>(jwt: string): [header: unknown, payload: P, signature: Uint8Array] {
  const [header, payload, signature, ...others] = jwt.split('.');
  try {
    if (header === undefined || payload === undefined || signature === undefined || others.length > 0)
      throw new Error('a token has three parts');
    const parse = (part: string): unknown => JSON.parse(new TextDecoder().decode(decodeBase64Url(part)));
    return [parse(header), parse(payload) as P, decodeBase64Url(signature)];
  } catch (cause) {
    throw new Error('The text is not a token.', { cause });
  }
}

/** Returns the claims of a token. Rejects if signature, times, audience or predicates do not match. */
export async function verify<P extends Payload = Payload>(
  jwt: string,
  key: CryptoKey | null,
  options: VerifyOptions = {},
): Promise<P> {
  const [header, payload, signature] = decode<P>(jwt);
  const alg = String((header as Partial<Header> | null)?.alg);
  if (!(await isSigned({ jwt, alg, key, signature })))
    throw new Error('The signature of the token does not match.');
  checkClaims(payload, options);
  return payload;
}

interface SignedToken {
  jwt: string;
  alg: string;
  key: CryptoKey | null;
  signature: Uint8Array;
}

async function isSigned({ jwt, alg, key, signature }: SignedToken): Promise<boolean> {
  if (key === null) return alg === 'none' && signature.length === 0;
  requireKeyFor(alg, key);
  const text = new TextEncoder().encode(jwt.slice(0, jwt.lastIndexOf('.')));
  return crypto.subtle.verify(parametersOf(alg), key, new Uint8Array(signature), text);
}

function checkClaims(payload: Payload, options: VerifyOptions): void {
  const { exp, nbf, aud } = payload;
  const { expLeeway = 1, nbfLeeway = 1, ignoreExp, ignoreNbf, audience, predicates = [] } = options;
  const now = Date.now() / 1000;
  if (typeof exp === 'number' && !ignoreExp && exp + expLeeway < now)
    throw new RangeError('The token is expired.');
  if (typeof nbf === 'number' && !ignoreNbf && nbf - nbfLeeway > now)
    throw new RangeError('The token is not valid yet.');
  if (audience !== undefined && !hasAudience([aud ?? []].flat(), audience))
    throw new Error('The audience of the token does not match.');
  if (!predicates.every((accepts) => accepts(payload)))
    throw new Error('A predicate refused the claims of the token.');
}

function hasAudience(claimed: readonly string[], expected: string | string[] | RegExp): boolean {
  if (expected instanceof RegExp) return claimed.some((value) => expected.test(value));
  return [expected].flat().some((value) => claimed.includes(value));
}

/** Returns seconds since 1970 of a date, or of now plus a number of seconds. */
export function getNumericDate(time: Date | number): number {
  return Math.round((time instanceof Date ? time.getTime() : Date.now() + time * 1000) / 1000);
}
