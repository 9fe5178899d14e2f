/**
 * Refresh tokens of GoTrue's version 2: session id and counter, signed with the session's key. They are not
 * stored, so a refresh writes one row less.
 *
 *   base64url( 0x00 | session id | uvarint counter | HMAC-SHA-256 cut to 16 bytes | SHA-256 cut to 4 bytes )
 *
 * The checksum at the end allows rejecting malformed tokens without a database query. The layout is GoTrue's
 * (internal/crypto/refresh_tokens.go), so tokens issued by either server work on the other. The key is enough
 * to forge tokens, so it is encrypted with a secret outside the database.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { open, seal } from '../lib/secret-box.ts';

const VERSION = 0;
const KEY_BYTES = 32;
const SESSION_BYTES = 16;
const SIGNATURE_BYTES = 16;
const CHECKSUM_BYTES = 4;
/** Length of a 64-bit unsigned integer with 7 bits per byte. */
const MAX_COUNTER_BYTES = 10;
const MIN_BYTES = 1 + SESSION_BYTES + 1 + SIGNATURE_BYTES + CHECKSUM_BYTES;
const MAX_BYTES = MIN_BYTES - 1 + MAX_COUNTER_BYTES;
const BASE64URL = /^[A-Za-z0-9_-]+$/;

/** A well-formed token. Its signature can only be verified with the session's key. */
export interface SignedToken {
  sessionId: string;
  /** Number of refreshes of the session. */
  counter: number;
  signed: Buffer;
  signature: Buffer;
}

/** Creates the token of a session. @param key 32 bytes */
export function signRefreshToken(sessionId: string, counter: number, key: Buffer): string {
  const signed = Buffer.concat([
    Buffer.of(VERSION),
    Buffer.from(sessionId.replaceAll('-', ''), 'hex'),
    uvarint(counter),
  ]);
  const token = Buffer.concat([signed, signatureOf(signed, key)]);
  return Buffer.concat([token, checksumOf(token)]).toString('base64url');
}

/** Parses a token; undefined if it is malformed. */
export function parseSignedToken(text: string): SignedToken | undefined {
  if (!BASE64URL.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length < MIN_BYTES || bytes.length > MAX_BYTES || bytes[0] !== VERSION) return undefined;
  const token = bytes.subarray(0, -CHECKSUM_BYTES);
  if (!checksumOf(token).equals(bytes.subarray(-CHECKSUM_BYTES))) return undefined;
  const signed = token.subarray(0, -SIGNATURE_BYTES);
  const counter = parseUvarint(signed.subarray(1 + SESSION_BYTES));
  if (counter === undefined) return undefined;
  const hex = signed.toString('hex', 1, 1 + SESSION_BYTES);
  const sessionId = hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  return { sessionId, counter, signed, signature: token.subarray(-SIGNATURE_BYTES) };
}

export function isSignedWith({ signed, signature }: SignedToken, key: Buffer): boolean {
  return timingSafeEqual(signatureOf(signed, key), signature);
}

/** Creates a session key. `sealed` is the encrypted form to store. @param secret encrypts the key */
export function sealedSessionKey(sessionId: string, secret: Buffer): { key: Buffer; sealed: string } {
  const key = randomBytes(KEY_BYTES);
  return { key, sealed: seal(key.toString('base64url'), secret, sessionId) };
}

/**
 * Decrypts a stored key, or reads one that GoTrue stored in plain text. Undefined if it was encrypted with
 * another secret.
 */
export function openSessionKey(stored: string, sessionId: string, secret: Buffer): Buffer | undefined {
  const text = open(stored, secret, sessionId);
  return text === undefined ? undefined : Buffer.from(text, 'base64url');
}

function signatureOf(signed: Buffer, key: Buffer): Buffer {
  return createHmac('sha256', key).update(signed).digest().subarray(0, SIGNATURE_BYTES);
}

function checksumOf(token: Buffer): Buffer {
  return createHash('sha256').update(token).digest().subarray(0, CHECKSUM_BYTES);
}

/**
 * Go's `binary.AppendUvarint`: 7 bits per byte, least significant first; all bytes but the last have their top
 * bit set.
 */
function uvarint(number: number): Buffer {
  const bytes: number[] = [];
  let rest = BigInt(number);
  for (; rest >= 0x80n; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  return Buffer.from([...bytes, Number(rest)]);
}

function parseUvarint(bytes: Buffer): number | undefined {
  if (bytes.length === 0 || bytes.length > MAX_COUNTER_BYTES) return undefined;
  let number = 0n;
  for (const [index, byte] of bytes.entries()) {
    const isLast = index === bytes.length - 1;
    if (byte >= 0x80 === isLast) return undefined;
    number |= BigInt(byte & 0x7f) << BigInt(7 * index);
  }
  // This server never issues larger counters, and a number could not represent them exactly.
  return number <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(number) : undefined;
}
