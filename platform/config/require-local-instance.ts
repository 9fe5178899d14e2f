/** The condition of the fixed keys of the Supabase CLI, which are public: only this machine may reach the instance. */
import { isLoopback } from '@greenroom/limits';
import { ConfigError } from './config-error.ts';
import { isPublicUrl } from './public-url.ts';

/** The settings by which another machine may reach an instance or its database, or that set a key. */
interface Reachability {
  host: string;
  appUrl: string;
  externalUrl: string;
  trustedProxies: readonly string[];
  databaseUrl: string | undefined;
  jwtSecret: string | undefined;
}

/** Throws ConfigError with the reasons why an instance cannot use the fixed keys. */
export function requireLocalInstance(settings: Reachability): void {
  const reasons = reasonsAgainst(settings);
  if (reasons.length === 0) return;
  throw new ConfigError([
    {
      name: 'GREENROOM_CLI_KEYS',
      value: 'true',
      allowed: `false (${reasons.join('; ')}). The fixed keys of the Supabase CLI are public. Generated keys: greenroom start --no-cli-keys`,
    },
  ]);
}

function reasonsAgainst(settings: Reachability): string[] {
  const { host, appUrl, externalUrl, trustedProxies, databaseUrl, jwtSecret } = settings;
  const publicUrl = [appUrl, externalUrl].find(isPublicUrl);
  return [
    ...(isLoopback(host) || host === 'localhost' ? [] : [`HOST is ${host}, which is no loopback address`]),
    ...(publicUrl === undefined ? [] : [`the public URL is ${publicUrl}`]),
    ...(trustedProxies.length === 0 ? [] : ['GREENROOM_TRUST_PROXY is set']),
    ...(databaseUrl === undefined ? [] : ['DATABASE_URL is set']),
    ...(jwtSecret === undefined ? [] : ['GREENROOM_JWT_SECRET is set']),
  ];
}
