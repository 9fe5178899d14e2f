/** Reads all settings into one typed value, or says everything that is wrong with them. */

import { readFile } from 'node:fs/promises';
import { parseEnv } from 'node:util';
import { z } from 'zod';
import { providerVariables } from './auth/providers.ts';
import type { JsonWebKey } from './auth/signing-keys.ts';
import { type AuthAddresses, type AuthConfig, authConfig, authVariables } from './auth.ts';
import { type CaptchaWidget, captchaWidget } from './captcha-widget.ts';
import { ConfigError, type ConfigProblem } from './config-error.ts';
import type { ConfigSource } from './config-source.ts';
import { withTodaysNames } from './data/earlier-names.ts';
import { type DataConfig, dataConfig, dataVariables } from './data.ts';
import { listeningUrl } from './listening-url.ts';
import { messageVariables, type SmtpSettings, smtpSettings } from './messages.ts';
import { platformVariables } from './platform.ts';
import { appUrl, isPublicUrl } from './public-url.ts';
import { type RealtimeConfig, realtimeConfig, realtimeVariables } from './realtime.ts';
import type { RedirectRule } from './redirect-rules.ts';
import { withFileContents } from './setting-files.ts';
import { type SmsSettings, smsSettings, smsVariables } from './sms.ts';
import {
  type StandaloneListening,
  standaloneListening,
  standaloneVariables,
  withOwnNames,
} from './standalone.ts';
import { type StorageConfig, storageConfig, storageVariables } from './storage.ts';
import type { Values, Variable } from './variable.ts';

/** Every variable there is, but those that each external provider has, and settings of people's own. */
export const variables = {
  ...platformVariables,
  ...authVariables,
  ...dataVariables,
  ...realtimeVariables,
  ...storageVariables,
  ...standaloneVariables,
  ...messageVariables,
  ...smsVariables,
};

/** The settings of an instance. */
export interface Config {
  host: string;
  port: number;
  dataDirectory: string;
  databaseUrl: string | undefined;
  /** Undefined: nodes talk to each other by PostgreSQL. */
  redisUrl: string | undefined;
  /** Undefined: the default port or the next free one. */
  databasePort: number | undefined;
  /** Of each connection, in megabytes; 0: none. Undefined: it depends on the machine. */
  databaseMemoryLimitMb: number | undefined;
  jwtSecret: string | undefined;
  /** Undefined: the instance's own key. The first one signs. */
  signingKeys: [JsonWebKey, ...JsonWebKey[]] | undefined;
  signingKeysFile: string | undefined;
  requireApiKey: boolean;
  /** Where the server is reached from its own machine: http://HOST:PORT. */
  localUrl: string;
  /** Public URL of this server, where one is set. */
  publicUrl: string | undefined;
  trustedProxies: string[];
  /**
   * Whether clients on the loopback are limited like all others: true where a public URL is not loopback, since an
   * undeclared proxy on this machine makes every visitor look local.
   */
  limitsLoopback: boolean;
  /** Most connections of one client address. */
  maxConnectionsPerClient: number;
  logLevel: string;
  app: AppConfig;
  auth: AuthConfig;
  data: DataConfig;
  realtime: RealtimeConfig;
  storage: StorageConfig;
  /** What all of it was made of: settings of the data API may come from the database, later, and files be written anew. */
  source: ConfigSource;
  /** Undefined: mails are kept. */
  smtp: SmtpSettings | undefined;
  /** Undefined: SMS are kept. */
  sms: SmsSettings | undefined;
}

/** What only the app needs. */
interface AppConfig {
  /** Set when the app runs alone on a hosted backend. */
  hosted: { url: string; anonKey: string; serviceRoleKey: string | undefined } | undefined;
  googleClientId: string | undefined;
  /** Undefined: pages show no captcha. */
  captcha: CaptchaWidget | undefined;
  guardInclude: string[] | undefined;
  guardExclude: string[];
  /** Paths that lead elsewhere. */
  redirects: RedirectRule[];
  saveRedirect: boolean;
  cookiePrefix: string | undefined;
  /** Path below which the app is served, with a slash at both ends. */
  baseURL: string;
  /** Where browsers load the built files from; empty: the app itself. */
  cdnURL: string;
  /** Folder of the built files, with a slash at both ends. */
  buildAssetsDir: string;
  /** How often a page asks for a newer version, in seconds; 0: never. */
  buildCheckSeconds: number;
}

/** Parses settings. Throws {@link ConfigError} that names every wrong one. */
export function loadConfig(source: ConfigSource): Config {
  const read = withTodaysNames(withFileContents(source));
  const all: Record<string, unknown> = parseVariables({ ...variables, ...providerVariables }, read);
  const values = all as Values<typeof variables>;
  const localUrl = listeningUrl(values.HOST, values.PORT);
  const publicUrl = values.GREENROOM_PUBLIC_URL ?? values.SITE_URL;
  const app = appConfig(values, publicUrl);
  const ownUrl = appUrl({ publicUrl, app }, localUrl);
  const auth = authConfig(values, all, addressesOf(values, ownUrl, localUrl));
  const [ownClientId] = auth.externalProviders.providers.get('google')?.clientIds ?? [];
  return {
    publicUrl,
    app: { ...app, googleClientId: app.googleClientId ?? ownClientId },
    host: values.HOST,
    port: values.PORT,
    dataDirectory: values.GREENROOM_DATA_DIR,
    databaseUrl: values.DATABASE_URL,
    redisUrl: values.REDIS_URL,
    databasePort: values.GREENROOM_DB_PORT,
    databaseMemoryLimitMb: values.GREENROOM_DB_MEMORY_LIMIT,
    jwtSecret: values.GREENROOM_JWT_SECRET,
    signingKeys: values.GOTRUE_JWT_KEYS,
    signingKeysFile: values.GREENROOM_SIGNING_KEYS_FILE,
    requireApiKey: values.GREENROOM_REQUIRE_API_KEY,
    localUrl,
    trustedProxies: values.GREENROOM_TRUST_PROXY ?? [],
    maxConnectionsPerClient: values.GREENROOM_MAX_CONNECTIONS_PER_CLIENT,
    limitsLoopback: [ownUrl, auth.externalUrl].some(isPublicUrl),
    logLevel: values.LOG_LEVEL,
    auth,
    data: dataConfig(values, read),
    realtime: realtimeConfig(values),
    storage: storageConfig(values, auth.externalUrl),
    source,
    smtp: smtpSettings(values),
    sms: smsSettings(values),
  };
}

/**
 * Parses the settings of the data API alone. Files that `source` names are read anew. Throws {@link ConfigError} that
 * names every wrong one.
 * @param over settings under the same names that win over those of `source`: some may come from the database, later
 */
export function loadDataConfig(source: ConfigSource, over: ConfigSource = {}): DataConfig {
  const all = { ...withTodaysNames(withFileContents(source)), ...over };
  return dataConfig(parseVariables(dataVariables, all), all);
}

/** The settings of a data API, or of storage, that stands alone. */
export interface StandaloneConfig extends Config {
  databaseUrl: string;
  /** Of the data API. */
  listening: StandaloneListening;
}

/** Parses settings for the data API, or storage, alone. Throws {@link ConfigError} that names every wrong one. */
export function loadStandaloneConfig(source: ConfigSource): StandaloneConfig {
  const read = withFileContents(source);
  const values = parseVariables(standaloneVariables, read);
  const config = loadConfig(withOwnNames(read, values));
  const { databaseUrl } = config;
  if (databaseUrl === undefined) {
    const { allowed } = platformVariables.DATABASE_URL;
    throw new ConfigError([
      {
        name: 'DATABASE_URL',
        value: '',
        allowed: `${allowed} (the data API and storage alone serve a database of yours)`,
      },
    ]);
  }
  const listening = standaloneListening(values, config);
  if (isSamePlace(listening)) {
    const { PGRST_ADMIN_SERVER_PORT: wrong } = read;
    const { allowed } = standaloneVariables.PGRST_ADMIN_SERVER_PORT;
    throw new ConfigError([
      { name: 'PGRST_ADMIN_SERVER_PORT', value: wrong, allowed: `${allowed}; not PORT` },
    ]);
  }
  return { ...config, databaseUrl, listening, source };
}

/** Two servers cannot be told apart there. */
function isSamePlace({ api, admin }: StandaloneListening): boolean {
  return api.kind === 'port' && admin?.kind === 'port' && api.port === admin.port;
}

/** Without GREENROOM_PUBLIC_URL, SITE_URL is the app's address and says nothing of the API's. */
function addressesOf(values: Values<typeof variables>, ownUrl: string, localUrl: string): AuthAddresses {
  const isPublicUrlSet = values.GREENROOM_PUBLIC_URL !== undefined;
  return {
    appUrl: ownUrl,
    siteUrl: (isPublicUrlSet && values.SITE_URL) || ownUrl,
    externalUrl: values.API_EXTERNAL_URL ?? (isPublicUrlSet ? ownUrl : localUrl),
  };
}

function appConfig(values: Values<typeof variables>, publicUrl: string | undefined): AppConfig {
  return {
    hosted: hostedBackend(values),
    googleClientId: values.GOOGLE_CLIENT_ID,
    captcha: captchaWidget(values),
    guardInclude: values.GREENROOM_GUARD_INCLUDE,
    guardExclude: values.GREENROOM_GUARD_EXCLUDE,
    redirects: values.GREENROOM_REDIRECTS,
    saveRedirect: values.GREENROOM_SAVE_REDIRECT,
    cookiePrefix: values.GREENROOM_COOKIE_PREFIX,
    baseURL: values.GREENROOM_BASE_URL ?? folderOf(publicUrl),
    cdnURL: values.GREENROOM_CDN_URL ?? '',
    buildAssetsDir: values.GREENROOM_BUILD_ASSETS_DIR,
    buildCheckSeconds: values.GREENROOM_BUILD_CHECK_SECONDS,
  };
}

function folderOf(publicUrl: string | undefined): string {
  return publicUrl === undefined ? '/' : new URL(`${publicUrl}/`).pathname;
}

function hostedBackend(values: Values<typeof platformVariables>): AppConfig['hosted'] {
  const { SUPABASE_URL: url, SUPABASE_ANON_KEY: anonKey, SUPABASE_SERVICE_ROLE_KEY: serviceRoleKey } = values;
  if (url === undefined) return undefined;
  if (anonKey === undefined) {
    const { allowed } = platformVariables.SUPABASE_ANON_KEY;
    throw new ConfigError([
      { name: 'SUPABASE_ANON_KEY', value: '', allowed: `${allowed} (SUPABASE_URL is set)` },
    ]);
  }
  return { url, anonKey, serviceRoleKey };
}

/** One zod object over all variables, so that every problem is found in one go. */
function parseVariables<V extends Record<string, Variable>>(declared: V, source: ConfigSource): Values<V> {
  const shape = Object.fromEntries(
    Object.entries(declared).map(([name, { schema, ...rest }]) => [
      name,
      rest.default === undefined ? schema.optional() : schema.prefault(rest.default),
    ]),
  );
  const given = Object.fromEntries(
    Object.entries(declared).flatMap(([name, { takesEmpty }]) => {
      const text = source[name];
      return text || (takesEmpty && text === '') ? [[name, text]] : [];
    }),
  );
  const parsed = z.object(shape).safeParse(given);
  if (parsed.success) return parsed.data as Values<V>;
  const names = new Set(parsed.error.issues.map((issue) => String(issue.path[0])));
  throw new ConfigError([...names].map((name) => problemOf(name, declared[name], given[name])));
}

function problemOf(name: string, declared: Variable | undefined, value: string | undefined): ConfigProblem {
  return { name, value: declared?.secret ? undefined : value, allowed: declared?.allowed ?? '' };
}

/** The variables of a `.env` file, or none where there is no such file. */
export async function loadDotEnv(path: string): Promise<ConfigSource> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  return parseEnv(text) as ConfigSource;
}
