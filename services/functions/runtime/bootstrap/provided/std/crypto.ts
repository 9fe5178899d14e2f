/**
 * Stands for `crypto` of Deno's standard library: Web Crypto whose `digest` knows more algorithms, and accepts data in parts.
 */
import { createHash } from 'node:crypto';
import { encodeBase64 } from './base64.ts';
import { encodeHex } from './hex.ts';

export { timingSafeEqual } from './timing-safe-equal.ts';

type Part = ArrayBuffer | ArrayBufferView;
type DigestData = Part | Iterable<Part> | AsyncIterable<Part>;
type Algorithm = string | { name: string };

/** Names of algorithms in OpenSSL. */
const HASHES: Readonly<Record<string, string>> = {
  BLAKE2B: 'blake2b512',
  BLAKE2S: 'blake2s256',
  MD5: 'md5',
  'RIPEMD-160': 'ripemd160',
  'SHA-1': 'sha1',
  'SHA-224': 'sha224',
  'SHA-256': 'sha256',
  'SHA-384': 'sha384',
  'SHA-512': 'sha512',
  'SHA3-224': 'sha3-224',
  'SHA3-256': 'sha3-256',
  'SHA3-384': 'sha3-384',
  'SHA3-512': 'sha3-512',
};

function hashOf(algorithm: Algorithm) {
  const name = (typeof algorithm === 'string' ? algorithm : algorithm.name).toUpperCase();
  const hash = HASHES[name];
  if (hash === undefined) throw new TypeError(`the digest algorithm ${name} is not available`);
  return createHash(hash);
}

function isPart(data: DigestData): data is Part {
  return data instanceof ArrayBuffer || ArrayBuffer.isView(data);
}

function viewOf(part: Part): Uint8Array {
  return ArrayBuffer.isView(part)
    ? new Uint8Array(part.buffer, part.byteOffset, part.byteLength)
    : new Uint8Array(part);
}

function digestSync(algorithm: Algorithm, data: Part | Iterable<Part>): ArrayBuffer {
  const hash = hashOf(algorithm);
  for (const part of isPart(data) ? [data] : data) hash.update(viewOf(part));
  return new Uint8Array(hash.digest()).buffer;
}

async function digest(algorithm: Algorithm, data: DigestData): Promise<ArrayBuffer> {
  const hash = hashOf(algorithm);
  for await (const part of isPart(data) ? [data] : data) hash.update(viewOf(part));
  return new Uint8Array(hash.digest()).buffer;
}

/** Returns an object with replaced members. The methods of the original run on it. */
function extended<T extends object, M extends object>(original: T, members: M): Omit<T, keyof M> & M {
  return new Proxy(original, {
    get(target, name) {
      if (name in members) return Reflect.get(members, name);
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  }) as unknown as Omit<T, keyof M> & M;
}

/** Web Crypto with more digest algorithms. */
export const crypto = extended(globalThis.crypto, {
  subtle: extended(globalThis.crypto.subtle, { digest, digestSync }),
});

/** Formerly, a digest as text. */
export function toHashString(hash: ArrayBuffer, encoding: 'hex' | 'base64' = 'hex'): string {
  return encoding === 'hex' ? encodeHex(hash) : encodeBase64(hash);
}
