/** The environment of a function: the variables of the hosted platform and the secrets of the project, no others. */
import { randomUUID } from 'node:crypto';
import type { ApiKeys } from '@greenroom/keys';

/** Names with this prefix belong to the platform; secrets cannot have them. */
const RESERVED = /^(?:SUPABASE_|DENO_|SB_)/;

/** The instance that functions call. */
export interface FunctionPlatform {
  /** Public URL of the API. */
  url: string;
  apiKeys: ApiKeys;
  /** Public keys of the instance (RFC 7517). */
  jwks: { keys: readonly Record<string, unknown>[] };
}

/** Returns the variables of a new process. Secrets with reserved names are left out. */
export function environmentOf(
  { url, apiKeys, jwks }: FunctionPlatform,
  secrets: ReadonlyMap<string, string>,
): Record<string, string> {
  return {
    ...Object.fromEntries([...secrets].filter(([name]) => !isReserved(name))),
    SUPABASE_URL: url,
    SUPABASE_ANON_KEY: apiKeys.anon,
    SUPABASE_SERVICE_ROLE_KEY: apiKeys.serviceRole,
    SUPABASE_PUBLISHABLE_KEYS: JSON.stringify({ default: apiKeys.publishable }),
    SUPABASE_SECRET_KEYS: JSON.stringify({ default: apiKeys.secret }),
    SUPABASE_JWKS: JSON.stringify(jwks),
    SB_REGION: 'local',
    SB_EXECUTION_ID: randomUUID(),
  };
}

/** Whether a name cannot be that of a secret. */
export function isReserved(name: string): boolean {
  return RESERVED.test(name);
}
