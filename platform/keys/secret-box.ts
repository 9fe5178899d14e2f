/**
 * Encrypts values that are stored in the database and must be read again, with a key that is not in the database
 * (AES-256-GCM, NIST SP 800-38D: the ciphertext is authenticated together with its owner).
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const PREFIX = 'v1.';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts a text.
 * @param key 32 bytes
 * @param owner authenticated with the text: only the same owner can decrypt it
 */
export function seal(text: string, key: Buffer, owner: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(owner));
  const sealed = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return PREFIX + sealed.toString('base64url');
}

/** Whether a text has the form of an encrypted one. */
export function isSealed(stored: string): boolean {
  return stored.startsWith(PREFIX);
}

/** Decrypts a text; undefined if it is not encrypted, the key or owner differs, or the text was changed. */
export function unseal(stored: string, key: Buffer, owner: string): string | undefined {
  if (!isSealed(stored)) return undefined;
  const sealed = Buffer.from(stored.slice(PREFIX.length), 'base64url');
  if (sealed.length < IV_BYTES + TAG_BYTES) return undefined;
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, IV_BYTES))
    .setAAD(Buffer.from(owner))
    .setAuthTag(sealed.subarray(-TAG_BYTES));
  try {
    const text = decipher.update(sealed.subarray(IV_BYTES, -TAG_BYTES));
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}
