/** Settings of the data API, under PostgREST's names. */
import {
  booleanSetting,
  type ConfigOf,
  type ConfigSource,
  defineSettings,
  enumSetting,
  headerSetting,
  integerSetting,
  listSetting,
  listText,
  parseSettings,
  reloadable,
  resolveSource,
  type SettingsOf,
  setting,
  splitList,
  textSetting,
  thousands,
  urlSetting,
} from '@greenroom/config';
import { z } from 'zod';
import { appSettings, documentedAppSetting } from './app-settings.ts';
import { functionSetting, NAME, SCHEMA } from './database-names.ts';
import { isReadAgain } from './database-setting-names.ts';
import { JWT_SECRET_ALLOWED, requireJwtSecret } from './jwt-secret.ts';
import { isRoleClaimPath } from './role-claim-path.ts';

/** Timers of Node.js support at most 2^31 - 1 milliseconds. */
const MAX_SECONDS = 2_000_000;

const SETTING = z.string().regex(/^[A-Za-z_][\w$]*(\.[A-Za-z_][\w$]*)*$/);
const ORIGIN = z.string().regex(/^[a-z][a-z0-9+.-]*:\/\/[^\s/?#]+$/i);

const declared = {
  /** The first schema is the default. */
  schemas: setting(
    'PGRST_DB_SCHEMAS',
    z
      .string()
      .transform(splitList)
      .pipe(z.array(SCHEMA).min(1).max(100))
      .transform((names) => names as [string, ...string[]]),
    'names of schemas separated by commas; not pg_catalog, not information_schema',
    {
      default: 'public',
      formerNames: ['PGRST_DB_SCHEMA'],
      configKey: { key: 'api.schemas', default: ['public', 'graphql_public'], toText: listText },
      description: 'Schemas whose tables and functions are exposed; requests that name none use the first.',
    },
  ),
  /** Undefined leaves the choice to the caller of `openDataInstance`. */
  anonRole: setting('PGRST_DB_ANON_ROLE', NAME, 'a role of the database', {
    default: undefined,
    description: 'Role of requests without a token. Unset: anon; if the data API runs alone, none.',
  }),
  extraSearchPath: listSetting(
    'PGRST_DB_EXTRA_SEARCH_PATH',
    'names of schemas separated by commas',
    {
      default: 'public',
      configKey: { key: 'api.extra_search_path', default: ['public', 'extensions'], toText: listText },
      description:
        'Schemas that are searched, but not exposed; empty: none. Unset: also extensions, if Greenroom created that schema.',
      acceptsEmpty: true,
    },
    NAME,
  ),
  /** Undefined means no limit. */
  maxRows: integerSetting('PGRST_DB_MAX_ROWS', 0, 1_000_000_000, {
    default: undefined,
    formerNames: ['PGRST_MAX_ROWS'],
    configKey: { key: 'api.max_rows', default: 1000 },
    description: 'Maximum rows of a response, and of each list in it. Unset: no limit.',
  }),
  preRequest: functionSetting('PGRST_DB_PRE_REQUEST', {
    formerNames: ['PGRST_PRE_REQUEST'],
    description: 'Function without parameters that runs before every request.',
  }),
  allowsAggregates: booleanSetting('PGRST_DB_AGGREGATES_ENABLED', {
    default: 'false',
    description: 'Whether clients may use avg(), count(), max(), min() and sum().',
  }),
  allowsPlans: booleanSetting('PGRST_DB_PLAN_ENABLED', {
    default: 'false',
    description: 'Whether clients may read the query plans of PostgreSQL. Plans also reveal policies.',
  }),
  transactionEnd: enumSetting(
    'PGRST_DB_TX_END',
    ['commit', 'commit-allow-override', 'rollback', 'rollback-allow-override'],
    {
      default: 'commit',
      description: 'How transactions end; with allow-override, clients may choose by `Prefer: tx=…`.',
    },
  ).map((end) => ({
    rollsBack: end.startsWith('rollback'),
    allowsOverride: end.endsWith('-allow-override'),
  })),
  hoistedSettings: listSetting(
    'PGRST_DB_HOISTED_TX_SETTINGS',
    'names of settings separated by commas',
    {
      default: 'statement_timeout,plan_filter.statement_cost_limit,default_transaction_isolation',
      description: 'Settings of functions (`ALTER FUNCTION … SET`) that hold for their whole transaction.',
    },
    SETTING,
  ),
  pool: {
    maxConnections: integerSetting('PGRST_DB_POOL', 1, 1000, {
      default: '10',
      description:
        'Maximum connections to the database. Slow statements of one client use a quarter of them.',
    }),
    acquisitionTimeoutMs: integerSetting('PGRST_DB_POOL_ACQUISITION_TIMEOUT', 1, 3600, {
      default: '10',
      description: 'Seconds that a request waits for a connection, before it gets 504.',
    }).map(thousands),
    /** 0 means no limit. */
    maxLifetimeMs: integerSetting('PGRST_DB_POOL_MAX_LIFETIME', 0, MAX_SECONDS, {
      default: '1800',
      description: 'Seconds after which a connection is replaced by a new one; 0: never.',
    }).map(thousands),
    /** 0 means no limit. */
    maxIdleMs: integerSetting('PGRST_DB_POOL_MAX_IDLETIME', 0, MAX_SECONDS, {
      default: '30',
      formerNames: ['PGRST_DB_POOL_TIMEOUT'],
      description:
        'Seconds without a request after which a connection is closed; 0: not before its lifetime ends. Unset: 30, and three connections stay open.',
    }).map(thousands),
  },
  preparesStatements: booleanSetting('PGRST_DB_PREPARED_STATEMENTS', {
    default: 'true',
    description:
      'Whether statements are prepared; not behind a pooler that assigns a connection per transaction.',
  }),
  /** Settings in the database, and the function that sets them. */
  databaseConfig: {
    isEnabled: booleanSetting('PGRST_DB_CONFIG', {
      default: 'true',
      description: 'Whether settings may be in the database: `ALTER ROLE … SET pgrst.db_schemas = …`.',
    }),
    preConfig: functionSetting('PGRST_DB_PRE_CONFIG', {
      description: 'Function that sets `pgrst.…` before the settings are read.',
    }),
  },
  channel: setting('PGRST_DB_CHANNEL', NAME, 'a name', {
    default: 'pgrst',
    description: 'Channel on which `NOTIFY` requests a reload of the schema cache or of the settings.',
  }),
  isChannelEnabled: booleanSetting('PGRST_DB_CHANNEL_ENABLED', {
    default: 'true',
    description: 'Whether the server listens to that channel.',
  }),
  allowsTimezone: booleanSetting('PGRST_DB_TIMEZONE_ENABLED', {
    default: 'true',
    description: 'Whether clients may name their time zone by `Prefer: timezone=…`.',
  }),
  jwt: {
    secret: textSetting('PGRST_JWT_SECRET', JWT_SECRET_ALLOWED, {
      default: undefined,
      secret: true,
      file: 'verbatim',
      description: "Verifies tokens, in addition to the instance's own keys.",
    }),
    isSecretBase64: booleanSetting('PGRST_JWT_SECRET_IS_BASE64', {
      default: 'false',
      formerNames: ['PGRST_SECRET_IS_BASE64'],
      description: 'Whether PGRST_JWT_SECRET is written in base64.',
    }),
    audience: setting(
      'PGRST_JWT_AUD',
      z.string().refine((text) => !text.includes(':') || URL.canParse(text)),
      'a name or a URI',
      { default: undefined, description: 'Audience that tokens with an `aud` must be for. Unset: any.' },
    ),
    /** A path in the grammar of ./role-claim-path.ts. */
    roleClaimKey: setting(
      'PGRST_JWT_ROLE_CLAIM_KEY',
      z.string().refine(isRoleClaimPath),
      'a path such as $.role, $.app_metadata.roles[0] or $.roles[?(@ == "x")]',
      {
        default: '$.role',
        formerNames: ['PGRST_ROLE_CLAIM_KEY'],
        description: 'Path of the role in the claims of a token.',
      },
    ),
    cacheMaxEntries: integerSetting('PGRST_JWT_CACHE_MAX_ENTRIES', 0, 1_000_000, {
      default: '1000',
      description: 'Number of verified tokens that are cached; 0: none.',
    }),
  },
  openApi: {
    mode: enumSetting('PGRST_OPENAPI_MODE', ['follow-privileges', 'ignore-privileges', 'disabled'], {
      default: 'follow-privileges',
      description:
        'Whether the OpenAPI document at / contains the objects that the role may use or all objects, or does not exist.',
    }),
    rootFunction: functionSetting('PGRST_DB_ROOT_SPEC', {
      formerNames: ['PGRST_ROOT_SPEC'],
      description: 'Function that responds at / instead of the OpenAPI document.',
    }),
    proxyUri: urlSetting('PGRST_OPENAPI_SERVER_PROXY_URI', {
      default: undefined,
      description:
        'Public URL of the data API in that document. Unset: API_EXTERNAL_URL followed by /rest/v1.',
    }),
    isSecurityActive: booleanSetting('PGRST_OPENAPI_SECURITY_ACTIVE', {
      default: 'false',
      description: 'Whether that document declares authentication by tokens.',
    }),
  },
  /** Undefined allows all origins. */
  corsAllowedOrigins: listSetting(
    'PGRST_SERVER_CORS_ALLOWED_ORIGINS',
    'origins such as https://example.org separated by commas',
    { default: undefined, description: 'Origins whose pages may send requests. Unset: all.' },
    ORIGIN,
  ),
  sendsServerTiming: booleanSetting('PGRST_SERVER_TIMING_ENABLED', {
    default: 'false',
    description: 'Whether responses report by `Server-Timing` how long each stage took.',
  }),
  /** The name of a header in lower case. */
  traceHeader: headerSetting('PGRST_SERVER_TRACE_HEADER', {
    default: undefined,
    description: 'Request header that responses repeat, to find a request again.',
  }).map((name) => name.toLowerCase()),
  errorVerbosity: enumSetting('PGRST_CLIENT_ERROR_VERBOSITY', ['verbose', 'minimal'], {
    default: 'verbose',
    description: 'With minimal, errors have neither details nor hints.',
  }),
  logsQueries: booleanSetting('PGRST_LOG_QUERY', {
    default: 'false',
    description:
      'Whether the SQL of requests is logged, without values: at level info for all requests, at warn for 4xx and 5xx, at error for 5xx.',
  }),
  allowsTargetNames: booleanSetting('PGRST_URL_USE_LEGACY_TARGET_NAMES', {
    default: 'true',
    description: 'Whether parameters may name an embedded relation that has an alias by its own name.',
  }),
};

const tree = reloadable(declared, ({ name }) => isReadAgain(name));

export const dataSettings = defineSettings({
  title: 'Data API',
  tree,
  documentedOnly: [documentedAppSetting],
  complete: (values, { source }: { source: ConfigSource }) => completeData(values, source),
});

export type DataConfig = ConfigOf<typeof dataSettings>;

function completeData({ isChannelEnabled, ...values }: SettingsOf<typeof tree>, source: ConfigSource) {
  const { secret: text, isSecretBase64: isBase64, ...jwt } = values.jwt;
  return {
    ...values,
    /** Undefined disables listening. */
    channel: isChannelEnabled ? values.channel : undefined,
    jwt: {
      ...jwt,
      /** Undefined means that tokens are verified only with the instance's own keys. */
      secret: text === undefined ? undefined : requireJwtSecret({ text, isBase64 }),
    },
    /** The names begin with `app.settings.`. */
    appSettings: appSettings(source),
  };
}

/**
 * Loads the settings of the data API, without those of other services. Reads the files that `source` names again.
 * @param overrides settings of the database under the same names, which override those of `source`
 * @throws ConfigError with every invalid setting
 */
export function loadDataConfig(source: ConfigSource, overrides: ConfigSource = {}): DataConfig {
  const resolved = { ...resolveSource(tree, source), ...overrides };
  return completeData(parseSettings(tree, resolved), resolved);
}
