/**
 * The fixed keys of the local instances of the Supabase CLI, which existing scripts and CI files contain. They are public,
 * so an instance that uses them must be reachable from its own machine only.
 * Source: `pkg/config` of github.com/supabase/cli.
 */
import { SignJWT } from 'jose';
import type { ApiKeys } from './api-keys.ts';
import type { KeyFile } from './key-file.ts';

/** Shared HS256 secret. */
export const CLI_JWT_SECRET = 'super-secret-jwt-token-with-at-least-32-characters-long';
/** `exp` of the anon and service_role keys: November 2032. */
const EXPIRES_AT_SECONDS = 1_983_812_996;

const FIXED = {
  jwtSecret: CLI_JWT_SECRET,
  publishableKey: 'sb_publishable_ACJWlzQHlZjBrEguHvfOxg_3BJgxAaH',
  secretKey: 'sb_secret_N7UND0UgjKTVK-Uodkm0Hg_xSvEMPvz',
  databasePassword: 'postgres',
  s3KeyPair: {
    accessKeyId: '625729a08b95bf1b7ff351a663f3a23c',
    secretAccessKey: '850181e4652dd023b7a98c58ae0d2d34bd487ee0cc3254aed6eda37307425907',
  },
} as const;

/** Returns a key file with the fixed keys. The keys that sign tokens of users remain those of the instance. */
export function withCliKeys<File extends KeyFile>(file: File): File {
  return { ...file, ...FIXED };
}

/** Returns the fixed API keys: the CLI has always signed the same claims with the same secret. */
export async function createCliApiKeys(): Promise<ApiKeys> {
  const secret = new TextEncoder().encode(CLI_JWT_SECRET);
  const sign = (role: string) =>
    new SignJWT({ iss: 'supabase-demo', role, exp: EXPIRES_AT_SECONDS })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .sign(secret);
  const [anon, serviceRole] = await Promise.all([sign('anon'), sign('service_role')]);
  return { anon, serviceRole, publishable: FIXED.publishableKey, secret: FIXED.secretKey };
}
