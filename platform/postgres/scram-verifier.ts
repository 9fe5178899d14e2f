/** Passwords as PostgreSQL stores them in pg_authid: SCRAM-SHA-256 with 16 bytes of salt (RFC 5803). */
import { createHash, createHmac, pbkdf2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

/** PostgreSQL's default `scram_iterations`. */
const ITERATIONS = 4096;
const KEY_BYTES = 32;
const VERIFIER = /^SCRAM-SHA-256\$(\d+):([^$]+)\$[^:]+:(.+)$/;

const derive = promisify(pbkdf2);

/** Returns the stored form of a password in ASCII, with a random salt. */
export async function createVerifier(password: string): Promise<string> {
  const salt = randomBytes(16);
  const { storedKey, serverKey } = await keysOf(password, salt, ITERATIONS);
  const texts = [salt, storedKey, serverKey].map((bytes) => bytes.toString('base64'));
  return `SCRAM-SHA-256$${ITERATIONS}:${texts[0]}$${texts[1]}:${texts[2]}`;
}

/** Whether a verifier belongs to a password in ASCII; undefined if its format is another one, e.g. MD5. */
export async function matchesVerifier(password: string, verifier: string): Promise<boolean | undefined> {
  const [, iterations, salt = '', serverKey = ''] = VERIFIER.exec(verifier) ?? [];
  if (iterations === undefined) return undefined;
  const keys = await keysOf(password, Buffer.from(salt, 'base64'), Number(iterations));
  const stored = Buffer.from(serverKey, 'base64');
  return stored.length === keys.serverKey.length && timingSafeEqual(stored, keys.serverKey);
}

async function keysOf(password: string, salt: Buffer, iterations: number) {
  const salted = await derive(password, salt, iterations, KEY_BYTES, 'sha256');
  const hmac = (text: string) => createHmac('sha256', salted).update(text).digest();
  const storedKey = createHash('sha256').update(hmac('Client Key')).digest();
  return { storedKey, serverKey: hmac('Server Key') };
}
