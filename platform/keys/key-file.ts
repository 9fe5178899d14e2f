/** `keys.json` of a data folder (mode 0600): the secrets of an instance, generated once at the first start. */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import { generateS3KeyPair, type S3KeyPair } from './s3-key-pair.ts';
import { generateWebhookSecrets, type WebhookSecrets } from './webhook-secrets.ts';

/** A private key with its creation time (seconds since the epoch; the oldest keys do not contain it). */
export type StoredKey = JWK & { iat?: number };

/** The content of `keys.json`. Times are seconds since the epoch. */
export interface KeyFile {
  version: 1;
  /** Creation time of the keys; also `iat` of the anon and service_role keys, so that they never change. */
  createdAt: number;
  /** Private ES256 key (RFC 7518 §3.4) that signs users' tokens. Its `kid` is in every token's header. */
  signingKey: StoredKey;
  /** The next signing key. It is already published, so that verifiers of tokens have it before it begins to sign. */
  standbyKey?: StoredKey;
  /** Previous signing keys, newest first; they verify until they are revoked. */
  formerKeys?: StoredKey[];
  /** Shared HS256 secret: signs the anon and service_role keys, and verifies tokens that others have signed with it. */
  jwtSecret: string;
  publishableKey: string;
  secretKey: string;
  /** Password of `postgres`, the owner of the embedded database. */
  databasePassword: string;
  /** Password of `supabase_admin`, the embedded PostgreSQL's superuser; files from before its introduction have none. */
  databaseSuperuserPassword?: string;
  /** Key of Vault, 64 hexadecimal digits; files from before its introduction have none. */
  vaultKey?: string;
  /** Key pair of the S3 protocol; files from before its introduction have none. */
  s3KeyPair?: S3KeyPair;
  /** Secrets that sign database webhooks; files from before their introduction have none. */
  webhookSecrets?: WebhookSecrets;
  /** Whether an instance has used the fixed keys of the Supabase CLI, so that its database may have their password. */
  hasUsedCliKeys?: true;
}

/** A key file with the keys that files of earlier versions lack. */
export type CompleteKeyFile = KeyFile &
  Required<Pick<KeyFile, 's3KeyPair' | 'databaseSuperuserPassword' | 'vaultKey' | 'webhookSecrets'>>;

/** Generates new keys. @param now seconds since the epoch */
export async function generateKeyFile(now: number): Promise<CompleteKeyFile> {
  return {
    version: 1,
    createdAt: now,
    signingKey: await generateSigningKey(now),
    jwtSecret: randomBytes(40).toString('base64url'),
    publishableKey: `sb_publishable_${randomBytes(24).toString('base64url')}`,
    secretKey: `sb_secret_${randomBytes(24).toString('base64url')}`,
    databasePassword: generateDatabasePassword(),
    databaseSuperuserPassword: generateDatabasePassword(),
    vaultKey: generateVaultKey(),
    s3KeyPair: generateS3KeyPair(),
    webhookSecrets: generateWebhookSecrets(),
  };
}

/** Returns the file with the keys that it lacks, newly generated; the same object if it lacks none. */
export function addMissingKeys(file: KeyFile): CompleteKeyFile {
  const { s3KeyPair, databaseSuperuserPassword, vaultKey, webhookSecrets } = file;
  if (s3KeyPair && databaseSuperuserPassword !== undefined && vaultKey !== undefined && webhookSecrets)
    return file as CompleteKeyFile;
  return {
    ...file,
    s3KeyPair: s3KeyPair ?? generateS3KeyPair(),
    databaseSuperuserPassword: databaseSuperuserPassword ?? generateDatabasePassword(),
    vaultKey: vaultKey ?? generateVaultKey(),
    webhookSecrets: webhookSecrets ?? generateWebhookSecrets(),
  };
}

function generateVaultKey(): string {
  return randomBytes(32).toString('hex');
}

function generateDatabasePassword(): string {
  return randomBytes(24).toString('base64url');
}

/** Generates a key for ES256. @param now seconds since the epoch */
export async function generateSigningKey(now: number): Promise<StoredKey> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const kid = randomBytes(16).toString('hex');
  return { ...(await exportJWK(privateKey)), kid, alg: 'ES256', use: 'sig', iat: now };
}

/** Returns all signing keys of a file, the current one first. */
export function signingKeysOf({ signingKey, standbyKey, formerKeys = [] }: KeyFile): [JWK, ...JWK[]] {
  return [signingKey, ...(standbyKey ? [standbyKey] : []), ...formerKeys];
}

/** Reads a key file; returns undefined if it does not exist. Throws if its content is not valid. */
export async function loadKeyFile(path: string): Promise<KeyFile | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const file = parseKeyFile(text);
  if (file === undefined) throw new Error(`${path} is not a valid key file of this version of Greenroom`);
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
