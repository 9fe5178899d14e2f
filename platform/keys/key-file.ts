/**
 * `keys.json` of a data folder (mode 0600): the secrets an instance is made of, generated once at first start.
 */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { exportJWK, generateKeyPair, type JWK } from 'jose';

/** The content of `keys.json`. Times are seconds since the epoch. */
export interface KeyFile {
  version: 1;
  /** When the keys were made; also `iat` of the anon and service_role keys, so that they never change. */
  createdAt: number;
  /** Private ES256 key (RFC 7518 §3.4) that signs users' tokens. Its `kid` is in every token's header. */
  signingKey: JWK;
  /** Shared HS256 secret: signs the anon and service_role keys, verifies tokens made elsewhere with it. */
  jwtSecret: string;
  publishableKey: string;
  secretKey: string;
  /** Password of the embedded PostgreSQL's superuser. */
  databasePassword: string;
}

/** Makes fresh keys. @param now seconds since the epoch */
export async function generateKeyFile(now: number): Promise<KeyFile> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const kid = randomBytes(16).toString('hex');
  return {
    version: 1,
    createdAt: now,
    signingKey: { ...(await exportJWK(privateKey)), kid, alg: 'ES256', use: 'sig' },
    jwtSecret: randomBytes(40).toString('base64url'),
    publishableKey: `sb_publishable_${randomBytes(24).toString('base64url')}`,
    secretKey: `sb_secret_${randomBytes(24).toString('base64url')}`,
    databasePassword: randomBytes(24).toString('base64url'),
  };
}

/** Reads a key file, or undefined where there is none. Throws on one that is not readable as such. */
export async function loadKeyFile(path: string): Promise<KeyFile | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const file = parseKeyFile(text);
  if (file === undefined) throw new Error(`${path} is not a key file of this version of Greenroom`);
  return file;
}

function parseKeyFile(text: string): KeyFile | undefined {
  try {
    const file = JSON.parse(text) as KeyFile;
    return file.version === 1 && typeof file.jwtSecret === 'string' && file.signingKey?.kid
      ? file
      : undefined;
  } catch {
    return undefined;
  }
}
