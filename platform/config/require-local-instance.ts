/** The condition of keys that everyone knows: only this machine may reach the instance. */
import { isLoopback } from '@greenroom/limits';
import { ConfigError } from './config-error.ts';
import type { ConfigSource } from './config-source.ts';
import { isPublicUrl } from './public-url.ts';

/** The settings by which another machine may reach an instance. */
interface Reachability {
  host: string;
  appUrl: string;
  externalUrl: string;
  trustedProxies: readonly string[];
}

/** Those, and the settings that the fixed keys of the Supabase CLI would contradict. */
interface KeySettings extends Reachability {
  databaseUrl: string | undefined;
  jwtSecret: string | undefined;
}

/**
 * Values that public code and documentation contain, by the settings whose values must be secret.
 * Sources: `pkg/config` of github.com/supabase/cli, `docker/.env.example` of github.com/supabase/supabase.
 */
const PUBLISHED: Readonly<Record<string, readonly string[]>> = {
  GREENROOM_JWT_SECRET: [
    'super-secret-jwt-token-with-at-least-32-characters-long',
    'your-super-secret-jwt-token-with-at-least-32-characters-long',
  ],
  GREENROOM_SECRET_KEY: ['sb_secret_N7UND0UgjKTVK-Uodkm0Hg_xSvEMPvz'],
  S3_PROTOCOL_ACCESS_KEY_SECRET: ['850181e4652dd023b7a98c58ae0d2d34bd487ee0cc3254aed6eda37307425907'],
};

/** Throws ConfigError with the reasons why an instance cannot use the fixed keys. */
export function requireLocalInstance(settings: KeySettings): void {
  const reasons = [
    ...waysToReach(settings),
    ...(settings.databaseUrl === undefined ? [] : ['DATABASE_URL is set']),
    ...(settings.jwtSecret === undefined ? [] : ['GREENROOM_JWT_SECRET is set']),
  ];
  if (reasons.length === 0) return;
  throw new ConfigError([
    {
      name: 'GREENROOM_CLI_KEYS',
      value: 'true',
      allowed: `false (${reasons.join('; ')}). The fixed keys of the Supabase CLI are public. Generated keys: greenroom start --no-cli-keys`,
    },
  ]);
}

/**
 * Throws ConfigError with each published secret, if another machine may reach the instance.
 * @param secrets the values by the names of their settings
 */
export function refusePublishedSecrets(secrets: ConfigSource, settings: Reachability): void {
  const reasons = waysToReach(settings);
  if (reasons.length === 0) return;
  const allowed = `a secret value (everyone knows this one, and ${reasons.join('; ')})`;
  const problems = Object.entries(PUBLISHED)
    .filter(([name, values]) => values.includes(secrets[name] ?? ''))
    .map(([name]) => ({ name, value: undefined, allowed }));
  if (problems.length > 0) throw new ConfigError(problems);
}

function waysToReach({ host, appUrl, externalUrl, trustedProxies }: Reachability): string[] {
  const publicUrl = [appUrl, externalUrl].find(isPublicUrl);
  return [
    ...(isLoopback(host) || host === 'localhost' ? [] : [`HOST is ${host}, which is no loopback address`]),
    ...(publicUrl === undefined ? [] : [`the public URL is ${publicUrl}`]),
    ...(trustedProxies.length === 0 ? [] : ['GREENROOM_TRUST_PROXY is set']),
  ];
}
