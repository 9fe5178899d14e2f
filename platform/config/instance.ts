/** Settings of an instance that every service may depend on: its listening address, URLs, database and keys. */
import { z } from 'zod';
import { automaticHttpsTree, completeAutomaticHttps } from './automatic-https.ts';
import { pairsText, pathText } from './config-conversions.ts';
import { apiKeysTree } from './configured-api-keys.ts';
import { completeDatabaseAccess, databaseAccessTree } from './database-access.ts';
import { DATABASE_PARAMETERS } from './database-parameters.ts';
import {
  booleanSetting,
  durationSetting,
  enumSetting,
  folderSetting,
  hostSetting,
  integerSetting,
  listSetting,
  splitList,
  textSetting,
  urlSetting,
} from './kinds.ts';
import { isPostgresUrl } from './libpq.ts';
import { listeningUrl } from './listening-url.ts';
import { appUrlOf, isPublicUrl } from './public-url.ts';
import { requireLocalInstance } from './require-local-instance.ts';
import { setting } from './setting.ts';
import { type ConfigOf, defineSettings } from './settings-group.ts';
import { signingKeysSetting } from './signing-keys.ts';
import { completeThirdParty, thirdPartyTree } from './third-party.ts';
import { completeTls, tlsTree } from './tls.ts';

const LOG_FORMATS = ['auto', 'json', 'pretty'] as const;
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
/** An HS256 key that is shorter than the hash weakens the signature (RFC 7518 §3.2). */
const MIN_SECRET_LENGTH = 32;

/** One address or a CIDR range. A range of all addresses would trust every client's headers. */
const ADDRESSES = z
  .union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])
  .refine((text) => !text.endsWith('/0'));

/** Schemes whose URLs run or contain code. */
const CODE_SCHEME = /^(?:javascript|data|vbscript|file|blob):/i;

/** A site of the web, or a native app, whose URL has a scheme of its own. */
const siteUrl = z
  .string()
  .refine((text) => URL.canParse(text) && /^[a-z][a-z0-9+.-]*:\/\//i.test(text) && !CODE_SCHEME.test(text))
  .transform((text) => (/^https?:/i.test(text) ? text.replace(/\/+$/, '') : text));

/** `work_mem=64MB,max_connections=50`: parameters of PostgreSQL, without characters that end a quoted value. */
const databaseParameters = z
  .string()
  .transform((text) => splitList(text).map((pair) => pair.split('=').map((part) => part.trim())))
  .pipe(z.array(z.tuple([z.enum(DATABASE_PARAMETERS), z.string().regex(/^[\w. -]+$/)])))
  .transform((pairs): Readonly<Record<string, string>> => Object.fromEntries(pairs));

const DEFAULT_DATABASE_TIMEOUT = '2m';
/** Default of `databaseTimeoutMs`. */
export const DEFAULT_DATABASE_TIMEOUT_MS = 120_000;

/** Declares whether a service is started. */
function serviceSetting(variable: string, key: string | undefined, service: string) {
  return booleanSetting(`GREENROOM_${variable}_ENABLED`, {
    default: 'true',
    ...(key !== undefined && { configKey: key }),
    description: `Whether ${service} is started.`,
  });
}

export const instanceSettings = defineSettings({
  title: 'Instance',
  tree: {
    port: integerSetting('PORT', 0, 65_535, {
      default: '54321',
      configKey: 'api.port',
      description: 'Port of the server. 0: any free port.',
    }),
    host: hostSetting('HOST', {
      default: '127.0.0.1',
      description: 'Address to listen on. 0.0.0.0: all addresses.',
    }),
    tlsFiles: tlsTree,
    automaticHttps: automaticHttpsTree,
    dataDirectory: textSetting('GREENROOM_DATA_DIR', 'a path', {
      default: '.greenroom',
      description: 'Data folder, which contains the database, files and keys.',
    }),
    /** Undefined means the default port or the next free one. */
    databasePort: integerSetting('GREENROOM_DB_PORT', 0, 65_535, {
      default: undefined,
      configKey: { key: 'db.port', default: 54_322 },
      description: 'Port of the embedded PostgreSQL. 0: any free port. Unset: 54322, or the next free port.',
    }),
    /** Of databases that commands create for a moment. */
    shadowPort: integerSetting('GREENROOM_DB_SHADOW_PORT', 0, 65_535, {
      default: '0',
      isReloadable: true,
      configKey: { key: 'db.shadow_port', default: 54_320 },
      description:
        'Port of the database that `greenroom migration squash` creates to try the joined file. 0: any free port.',
    }),
    /**
     * Limit of each connection, in megabytes; 0 for no limit. Undefined means a default that depends on the machine.
     */
    databaseMemoryLimitMb: integerSetting('GREENROOM_DB_MEMORY_LIMIT', 0, 1_048_576, {
      default: undefined,
      description:
        'Maximum memory of each connection of the embedded PostgreSQL, in megabytes. 0: no limit. A statement that needs more fails with 53200. Unset: 1/32 of the memory of the machine, from 512 to 2048.',
    }),
    databaseParameters: setting(
      'GREENROOM_DB_SETTINGS',
      databaseParameters,
      `pairs such as work_mem=64MB, separated by commas, of ${DATABASE_PARAMETERS.join(', ')}`,
      {
        default: '',
        configKey: { key: 'db.settings', members: DATABASE_PARAMETERS, toText: pairsText },
        description:
          'Parameters of the embedded PostgreSQL. Those of postgresql.conf in the data folder override them.',
      },
    ),
    databaseAccess: databaseAccessTree,
    databaseUrl: setting(
      'DATABASE_URL',
      z.string().refine(isPostgresUrl),
      'postgresql://user:password@host:port/database',
      {
        default: undefined,
        secret: true,
        file: 'trimmed',
        description: 'External PostgreSQL (15 to 18) to use instead of the embedded one.',
      },
    ),
    databaseTimeoutMs: durationSetting('GREENROOM_DB_HEALTH_TIMEOUT', {
      default: DEFAULT_DATABASE_TIMEOUT,
      configKey: 'db.health_timeout',
      description:
        'Maximum time that a start waits for the database to accept connections. The start retries for this time if the database of DATABASE_URL does not respond. With the default, a recovery of the embedded PostgreSQL may take longer as long as it reports progress.',
    }),
    /** Undefined means the instance's own key. The first key signs. */
    signingKeys: signingKeysSetting('GOTRUE_JWT_KEYS', {
      default: undefined,
      description: 'Keys of tokens. The key with key_ops "sign" signs; the others only verify.',
    }),
    signingKeysFile: textSetting('GREENROOM_SIGNING_KEYS_FILE', 'a path', {
      default: undefined,
      configKey: { key: 'auth.signing_keys_path', toText: pathText('supabaseFolder') },
      description:
        'File with the keys of tokens in the format of GOTRUE_JWT_KEYS, e.g. supabase/signing_keys.json.',
    }),
    jwtSecret: setting(
      'GREENROOM_JWT_SECRET',
      z.string().min(MIN_SECRET_LENGTH),
      `at least ${MIN_SECRET_LENGTH} characters`,
      {
        default: undefined,
        secret: true,
        // The text is no secret: it is in the repository of the project.
        configKey: { key: 'auth.jwt_secret', omitsUnsetVariable: true },
        description: 'Shared HS256 secret. Unset: the secret that the first start generates in keys.json.',
      },
    ),
    usesCliKeys: booleanSetting('GREENROOM_CLI_KEYS', {
      default: 'false',
      description:
        'Whether the fixed keys and database password of the Supabase CLI replace the generated ones. They are public, so HOST and the public URL must be loopback. `greenroom start --cli-keys` sets it for later starts, too.',
    }),
    /** Algorithm of tokens that are signed with the instance's own keys instead of configured ones. */
    ownAlgorithm: enumSetting('GREENROOM_JWT_ALGORITHM', ['ES256', 'HS256'], {
      default: 'ES256',
      description:
        "Algorithm of access tokens if no keys are configured: ES256 with the instance's own key, or HS256 with the shared secret.",
    }),
    /** API keys instead of the generated ones. */
    apiKeys: apiKeysTree,
    thirdParty: thirdPartyTree,
    requireApiKey: booleanSetting('GREENROOM_REQUIRE_API_KEY', {
      default: 'true',
      description:
        'Whether requests to the API require an `apikey`. If false, requests without one are anonymous.',
    }),
    publicUrl: urlSetting('GREENROOM_PUBLIC_URL', {
      default: undefined,
      description:
        'Public URL of this server, for pages, links in mails, passkeys and the API, e.g. https://example.org. Unset: the first of GREENROOM_HTTPS_DOMAINS, SITE_URL, or http://localhost:PORT (https:// with GREENROOM_TLS_ENABLED).',
    }),
    siteUrl: urlSetting('SITE_URL', {
      default: undefined,
      description:
        'Redirect target of sign-ins that name no other page. Unset: GREENROOM_PUBLIC_URL. If GREENROOM_PUBLIC_URL is unset, also the public URL of the pages.',
    }),
    /** Unlike SITE_URL, never the public URL: a project names its own front end, which is another server. */
    redirectUrl: setting('GOTRUE_SITE_URL', siteUrl, 'an absolute URL such as https://example.org', {
      default: undefined,
      isReloadable: true,
      configKey: {
        key: 'auth.site_url',
        default: 'http://127.0.0.1:3000',
        defaultUnless: ['GREENROOM_PUBLIC_URL', 'GREENROOM_HTTPS_DOMAINS', 'SITE_URL'],
        omitsUnsetVariable: true,
      },
      description:
        'Redirect target of sign-ins that name no other page, if it is not a page of this server. Unset: SITE_URL. A config.toml without the key has its default only if GREENROOM_PUBLIC_URL, GREENROOM_HTTPS_DOMAINS and SITE_URL are unset.',
    }),
    externalUrl: urlSetting('API_EXTERNAL_URL', {
      default: undefined,
      configKey: 'api.external_url',
      description:
        'Public URL of the API, without /auth/v1. Unset: GREENROOM_PUBLIC_URL, or http://HOST:PORT (https:// with GREENROOM_TLS_ENABLED).',
    }),
    baseURL: folderSetting('GREENROOM_BASE_URL', {
      default: undefined,
      description: 'Path below which the app is served. Unset: the path of GREENROOM_PUBLIC_URL, or /.',
    }),
    trustedProxies: listSetting(
      'GREENROOM_TRUST_PROXY',
      'IP addresses or CIDR ranges, separated by commas',
      { default: '', description: 'Reverse proxies whose X-Forwarded-… headers are trusted.' },
      ADDRESSES,
    ),
    /** Maximum number of connections of one client address. */
    maxConnectionsPerClient: integerSetting('GREENROOM_MAX_CONNECTIONS_PER_CLIENT', 1, 1_000_000, {
      default: '1000',
      description:
        'Maximum number of connections of one client address; an IPv6 /48 is one client. Further connections get 429. Trusted proxies are not limited.',
    }),
    enabledServices: {
      auth: serviceSetting('AUTH', 'auth.enabled', 'authentication, without which there are no pages,'),
      data: serviceSetting('DATA', 'api.enabled', 'the data API'),
      storage: serviceSetting('STORAGE', 'storage.enabled', 'storage'),
      realtime: serviceSetting('REALTIME', 'realtime.enabled', 'realtime'),
      functions: serviceSetting('FUNCTIONS', 'edge_runtime.enabled', 'functions'),
      jobs: serviceSetting('JOBS', undefined, 'jobs, which sends HTTP requests of SQL,'),
      meta: serviceSetting('META', undefined, 'SQL of the admin area'),
    },
    logLevel: enumSetting('LOG_LEVEL', LOG_LEVELS, {
      default: 'info',
      description: 'Minimum log level.',
    }),
    logKeepMb: integerSetting('GREENROOM_LOG_KEEP_MB', 0, 100_000, {
      default: '64',
      description:
        'Maximum size in MB of the log that the instance keeps in its data folder, for the admin area. The oldest lines are removed first. 0: keeps none.',
    }),
    logFormat: enumSetting('GREENROOM_LOG_FORMAT', LOG_FORMATS, {
      default: 'auto',
      description:
        'Format of the log. `auto`: lines for people on a terminal, JSON elsewhere. `json`: JSON also for the lines of the start; from the first line on, if it is in the environment.',
    }),
  },
  complete(values) {
    const automaticHttps = completeAutomaticHttps(values.automaticHttps, values.tlsFiles);
    const tls = completeTls(values.tlsFiles, automaticHttps);
    const { host, port } = automaticHttps ?? values;
    const localUrl = listeningUrl(host, port, tls && 'https');
    const ownUrl = values.publicUrl ?? (automaticHttps && `https://${automaticHttps.domains[0]}`);
    const publicUrl = ownUrl ?? values.siteUrl;
    const baseURL = values.baseURL ?? (publicUrl === undefined ? '/' : new URL(`${publicUrl}/`).pathname);
    const appUrl = appUrlOf({ publicUrl, baseURL }, localUrl);
    const isPublicUrlSet = ownUrl !== undefined;
    const externalUrl = values.externalUrl ?? (isPublicUrlSet ? appUrl : localUrl);
    if (values.usesCliKeys) requireLocalInstance({ ...values, host, appUrl, externalUrl });
    return {
      ...values,
      host,
      port,
      databaseAccess: completeDatabaseAccess(values.databaseAccess),
      /** Issuers whose tokens are accepted in addition to those of the instance. */
      trustedIssuers: completeThirdParty(values.thirdParty),
      /** Undefined: the server speaks HTTP. */
      tls,
      /** URL of the server on its own machine: http://HOST:PORT, or https://HOST:PORT. */
      localUrl,
      /** Public URL of this server; undefined if none is configured. */
      publicUrl,
      /** Path below which the app is served, with a slash at both ends. */
      baseURL,
      /** URL under which browsers open the app, see {@link appUrlOf}. */
      appUrl,
      /**
       * Redirect target of sign-ins that name no other page. If nothing else sets the public URL, SITE_URL is the app's
       * address.
       */
      siteUrl: values.redirectUrl ?? ((isPublicUrlSet && values.siteUrl) || appUrl),
      /** Public URL of the API, without the path of a service. */
      externalUrl,
      /**
       * Whether clients on the loopback are limited like all others. True if a public URL is not loopback, since an
       * undeclared proxy on this machine makes every visitor look local.
       */
      limitsLoopback: [appUrl, externalUrl].some(isPublicUrl),
    };
  },
});

export type InstanceConfig = ConfigOf<typeof instanceSettings>;
