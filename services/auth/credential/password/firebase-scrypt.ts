/**
 * Verifies imported hashes of Firebase Authentication in GoTrue's format: `$fbscrypt$v=1,n=<log2 of N>,r=<block
 * size>,p=<lanes>,ss=<salt separator>,sk=<signer key>$<salt>$<hash>`, all base64 with padding. Firebase's scrypt
 * (https://github.com/firebase/scrypt) derives a key from the password and encrypts the project's signer key with it.
 * The hash is the ciphertext.
 */
import { createCipheriv, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const FORMAT =
  /^\$fbscrypt\$v=1,n=(\d{1,2}),r=(\d{1,3}),p=(\d{1,3})(?:,ss=([^,$]+))?,sk=([^,$]+)\$([^$]+)\$([^$]+)$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

const KEY_BYTES = 32;
/**
 * Maximum of N × r × p, eight times Firebase's own value. A more expensive hash would let one sign-in block all others.
 */
const MAX_WORK = 2 ** 20;
/** scrypt needs 128 × N × r bytes plus a small overhead. */
const MAX_MEMORY_BYTES = 128 * MAX_WORK + 2 ** 20;

const deriveKey = promisify<string, Buffer, number, object, Buffer>(scrypt);

interface FirebaseHash {
  cost: { N: number; r: number; p: number };
  salt: Buffer;
  signerKey: Buffer;
  hash: Buffer;
}

/** Whether {@link matchesFirebaseScrypt} can verify a hash. */
export function isFirebaseScrypt(stored: string): boolean {
  return parse(stored) !== undefined;
}

/** Whether a password matches a hash; false if the hash has another format. */
export async function matchesFirebaseScrypt(password: string, stored: string): Promise<boolean> {
  const parsed = parse(stored);
  if (parsed === undefined) return false;
  const { cost, salt, signerKey, hash } = parsed;
  const key = await deriveKey(password, salt, KEY_BYTES, { ...cost, maxmem: MAX_MEMORY_BYTES });
  // A counter that starts at zero is safe, because each key encrypts only one message.
  const cipher = createCipheriv('aes-256-ctr', key, Buffer.alloc(16));
  return timingSafeEqual(Buffer.concat([cipher.update(signerKey), cipher.final()]), hash);
}

function parse(stored: string): FirebaseHash | undefined {
  const [, n, r, p, separator = '', signerKey = '', salt = '', hash = ''] = FORMAT.exec(stored) ?? [];
  const cost = costOf(Number(n), Number(r), Number(p));
  if (cost === undefined || ![separator, signerKey, salt, hash].every((text) => BASE64.test(text))) return;
  const [separatorBytes, keyBytes, saltBytes, hashBytes] = [separator, signerKey, salt, hash].map((text) =>
    Buffer.from(text, 'base64'),
  ) as [Buffer, Buffer, Buffer, Buffer];
  // An empty hash would match every password.
  if (hashBytes.length === 0 || hashBytes.length !== keyBytes.length) return;
  return { cost, salt: Buffer.concat([saltBytes, separatorBytes]), signerKey: keyBytes, hash: hashBytes };
}

/** Undefined if scrypt cannot compute the parameters (RFC 7914 §2) or if the cost is too high. */
function costOf(n: number, r: number, p: number): FirebaseHash['cost'] | undefined {
  const isAffordable = n >= 1 && r >= 1 && p >= 1 && 2 ** n * r * p <= MAX_WORK;
  return isAffordable && n < 16 * r ? { N: 2 ** n, r, p } : undefined;
}
