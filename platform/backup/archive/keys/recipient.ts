/**
 * Recipients: pairs of X25519 keys. A server knows only the public one, the recipient, and can write backups but not
 * read them. The private one, the identity, restores.
 *
 * As texts, both are 32 bytes and the first 4 bytes of their SHA-256 in base64url. A mistyped recipient would make
 * backups that no key opens; the check bytes prevent that.
 */
import { createHash, createPrivateKey, createPublicKey, type KeyObject, randomBytes } from 'node:crypto';
import { ArchiveError } from '../../errors.ts';

const RECIPIENT_PREFIX = 'greenroom-recipient-';
const IDENTITY_PREFIX = 'greenroom-identity-';
const KEY_BYTES = 32;
const CHECK_BYTES = 4;
/** DER of a public key and of a private key (RFC 8410) before their 32 bytes. */
const SPKI_PREFIX = Buffer.from('302a300506032b656e032100', 'hex');
const PKCS8_PREFIX = Buffer.from('302e020100300506032b656e04220420', 'hex');

/** Makes a pair of keys, as texts. */
export function generateIdentity(): { identity: string; recipient: string } {
  const secret = randomBytes(KEY_BYTES);
  const identity = textOf(IDENTITY_PREFIX, secret);
  return { identity, recipient: recipientOf(identity) };
}

/** Returns the recipient of an identity. */
export function recipientOf(identity: string): string {
  return textOf(RECIPIENT_PREFIX, publicBytesOf(createPublicKey(parseIdentity(identity))));
}

/** Parses the text of a public key; throws kind `refused`. */
export function parseRecipient(text: string): KeyObject {
  return publicKeyOf(parse(text, RECIPIENT_PREFIX));
}

/** Parses the text of a private key; throws kind `refused`, without the key in the message. */
export function parseIdentity(text: string): KeyObject {
  const bytes = parse(text, IDENTITY_PREFIX);
  return createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, bytes]), format: 'der', type: 'pkcs8' });
}

/** Returns the public key with these 32 bytes. */
export function publicKeyOf(bytes: Buffer): KeyObject {
  return createPublicKey({ key: Buffer.concat([SPKI_PREFIX, bytes]), format: 'der', type: 'spki' });
}

/** Returns the 32 bytes of a public key. */
export function publicBytesOf(key: KeyObject): Buffer {
  return key.export({ format: 'der', type: 'spki' }).subarray(SPKI_PREFIX.length);
}

function textOf(prefix: string, bytes: Buffer): string {
  return prefix + Buffer.concat([bytes, checkOf(bytes)]).toString('base64url');
}

function checkOf(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest().subarray(0, CHECK_BYTES);
}

function parse(text: string, prefix: string): Buffer {
  const trimmed = text.trim();
  if (!trimmed.startsWith(prefix)) {
    const other = trimmed.startsWith(IDENTITY_PREFIX) ? 'an identity, which is secret' : undefined;
    const found = trimmed.startsWith(RECIPIENT_PREFIX) ? 'a recipient' : (other ?? 'something else');
    throw new ArchiveError('refused', `expected a text that begins with ${prefix}, and got ${found}`);
  }
  const bytes = Buffer.from(trimmed.slice(prefix.length), 'base64url');
  const [key, check] = [bytes.subarray(0, KEY_BYTES), bytes.subarray(KEY_BYTES)];
  // Decoding ignores other characters, so the text is compared as well.
  if (textOf(prefix, key) !== trimmed || !checkOf(key).equals(check))
    throw new ArchiveError('refused', `the text after ${prefix} is incomplete or mistyped`);
  return key;
}
