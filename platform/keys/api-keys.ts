/**
 * The keys that clients send as `apikey`: two JWTs (anon, service_role), which clients of all versions accept, and the
 * newer opaque keys (`sb_publishable_…`, `sb_secret_…`), which stand for the same two roles.
 */
import { SignJWT } from 'jose';
import type { Keys } from './keyring.ts';
import { secretsEqual } from './secrets-equal.ts';

/** Ten years, like the keys of the hosted service. */
const API_KEY_LIFETIME_SECONDS = 10 * 365 * 24 * 3600;

/** The four API keys of an instance. */
export interface ApiKeys {
  anon: string;
  serviceRole: string;
  publishable: string;
  secret: string;
}

/** Key material of {@link createApiKeys}; the same material always results in the same keys. */
interface ApiKeyMaterial {
  jwtSecret: string;
  publishableKey: string;
  secretKey: string;
  /** Seconds since the epoch. */
  createdAt: number;
}

/** Derives the API keys from key material. */
export async function createApiKeys(material: ApiKeyMaterial): Promise<ApiKeys> {
  const secret = new TextEncoder().encode(material.jwtSecret);
  const sign = (role: string) =>
    new SignJWT({ iss: 'greenroom', role })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setIssuedAt(material.createdAt)
      .setExpirationTime(material.createdAt + API_KEY_LIFETIME_SECONDS)
      .sign(secret);
  const [anon, serviceRole] = await Promise.all([sign('anon'), sign('service_role')]);
  return { anon, serviceRole, publishable: material.publishableKey, secret: material.secretKey };
}

/** The role that an API key stands for. */
export interface ApiKeyIdentity {
  role: string;
  /** The JWT to use in place of the API key. */
  token: string;
}

/** Resolves an API key to its identity; undefined for a key that is not one of this instance. */
export type ApiKeyReader = (key: string) => Promise<ApiKeyIdentity | undefined>;

/** Creates a reader that accepts a JWT if it verifies and names a role: clients may send a user's token as `apikey`. */
export function createApiKeyReader(apiKeys: ApiKeys, keys: Keys): ApiKeyReader {
  const opaque = [
    { key: apiKeys.publishable, identity: { role: 'anon', token: apiKeys.anon } },
    { key: apiKeys.secret, identity: { role: 'service_role', token: apiKeys.serviceRole } },
  ];
  return async (key) => {
    if (key.startsWith('sb_')) return opaque.find((known) => secretsEqual(known.key, key))?.identity;
    const claims = await keys.verify(key).catch(() => undefined);
    return typeof claims?.role === 'string' ? { role: claims.role, token: key } : undefined;
  };
}
