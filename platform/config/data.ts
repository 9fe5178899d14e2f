/** Settings of the data API, under PostgREST's names. */
import { z } from 'zod';
import { appSettings } from './data/app-settings.ts';
import { JWT_SECRET_ALLOWED, type JwtSecret, requireJwtSecret } from './data/jwt-secret.ts';
import { isRoleClaimPath } from './data/role-claim.ts';
import { FILE_ALLOWED } from './setting-files.ts';
import {
  booleanVariable,
  integerVariable,
  listVariable,
  textVariable,
  urlVariable,
  type Values,
  variable,
} from './variable.ts';

/** PostgreSQL cuts longer names. */
const MAX_NAME_BYTES = 63;
/** Timers take no more milliseconds than 32 bits can say. */
const MAX_SECONDS = 2_000_000;
/** No schema of an API: everything in them is the database's own. */
const SYSTEM_SCHEMAS = new Set(['pg_catalog', 'information_schema']);

const TX_ENDS = ['commit', 'commit-allow-override', 'rollback', 'rollback-allow-override'] as const;
const OPENAPI_MODES = ['follow-privileges', 'ignore-privileges', 'disabled'] as const;
const VERBOSITIES = ['verbose', 'minimal'] as const;

const NAME = z.string().refine((text) => !text.includes('\0') && Buffer.byteLength(text) <= MAX_NAME_BYTES);
const SCHEMA = NAME.refine((text) => !SYSTEM_SCHEMAS.has(text));
const SETTING = z.string().regex(/^[A-Za-z_][\w$]*(\.[A-Za-z_][\w$]*)*$/);
const ORIGIN = z.string().regex(/^[a-z][a-z0-9+.-]*:\/\/[^\s/?#]+$/i);

/** A name with its schema; without a schema, wherever the search path finds it. */
interface FunctionName {
  schema: string | undefined;
  name: string;
}

function functionVariable(description: string) {
  const schema = z.string().refine(isFunctionName).transform(parseFunctionName);
  return variable(schema, 'the name of a function, or schema.name', { default: undefined, description });
}

function isFunctionName(text: string): boolean {
  const { schema, name } = parseFunctionName(text);
  return name !== '' && schema !== '' && [schema ?? '', name].every((part) => NAME.safeParse(part).success);
}

function parseFunctionName(text: string): FunctionName {
  const dot = text.indexOf('.');
  return dot === -1
    ? { schema: undefined, name: text }
    : { schema: text.slice(0, dot), name: text.slice(dot + 1) };
}

/** Environment variables of the data API. */
export const dataVariables = {
  PGRST_DB_SCHEMAS: variable(
    z.string().transform(splitNames).pipe(z.array(SCHEMA).min(1).max(100)),
    'names of schemas separated by commas; not pg_catalog, not information_schema',
    {
      default: 'public',
      description: 'Schemas whose tables and functions are exposed; the first is the one for who names none.',
    },
  ),
  PGRST_DB_ANON_ROLE: variable(NAME, 'a role of the database', {
    default: undefined,
    description: 'Role of requests without a token. Unset: anon; where the data API stands alone, none.',
  }),
  PGRST_DB_EXTRA_SEARCH_PATH: listVariable(
    'names of schemas separated by commas',
    {
      default: 'public',
      description:
        'Schemas that are searched, but not exposed; empty: none. Unset: also extensions, where our own schema is.',
      takesEmpty: true,
    },
    NAME,
  ),
  PGRST_DB_MAX_ROWS: integerVariable(0, 1_000_000_000, {
    default: undefined,
    description: 'Most rows of one answer, and of each list in it. Unset: no limit.',
  }),
  PGRST_DB_PRE_REQUEST: functionVariable('Function without parameters that runs before every request.'),
  PGRST_DB_AGGREGATES_ENABLED: booleanVariable({
    default: 'false',
    description: 'Whether clients may use avg(), count(), max(), min() and sum().',
  }),
  PGRST_DB_PLAN_ENABLED: booleanVariable({
    default: 'false',
    description: 'Whether clients may see how PostgreSQL plans their queries. It tells of policies, too.',
  }),
  PGRST_DB_TX_END: variable(z.enum(TX_ENDS), TX_ENDS.join(', '), {
    default: 'commit',
    description: 'How transactions end; with allow-override, clients may say by `Prefer: tx=…`.',
  }),
  PGRST_DB_HOISTED_TX_SETTINGS: listVariable(
    'names of settings separated by commas',
    {
      default: 'statement_timeout,plan_filter.statement_cost_limit,default_transaction_isolation',
      description: 'Settings of functions (`ALTER FUNCTION … SET`) that hold for their whole transaction.',
    },
    SETTING,
  ),
  PGRST_DB_ROOT_SPEC: functionVariable('Function that answers at / instead of the OpenAPI document.'),
  PGRST_DB_POOL: integerVariable(1, 1000, {
    default: '10',
    description: 'Most connections to the database. Slow statements of one client use a quarter of them.',
  }),
  PGRST_DB_POOL_ACQUISITION_TIMEOUT: integerVariable(1, 3600, {
    default: '10',
    description: 'How long a request waits for a connection, in seconds; after it the answer is 504.',
  }),
  PGRST_DB_POOL_MAX_LIFETIME: integerVariable(0, MAX_SECONDS, {
    default: '1800',
    description: 'After how many seconds a connection gives way to a new one; 0: never.',
  }),
  PGRST_DB_POOL_MAX_IDLETIME: integerVariable(0, MAX_SECONDS, {
    default: '30',
    description:
      'After how many seconds without a request a connection is closed; 0: not before its lifetime ends. Unset: 30, and three connections stay open.',
  }),
  PGRST_DB_PREPARED_STATEMENTS: booleanVariable({
    default: 'true',
    description:
      'Whether statements are prepared; not behind a pooler that gives a connection per transaction.',
  }),
  PGRST_DB_CONFIG: booleanVariable({
    default: 'true',
    description: 'Whether settings may be in the database: `ALTER ROLE … SET pgrst.db_schemas = …`.',
  }),
  PGRST_DB_PRE_CONFIG: functionVariable('Function that sets `pgrst.…` before they are read.'),
  PGRST_DB_CHANNEL: variable(NAME, 'a name', {
    default: 'pgrst',
    description: 'Where `NOTIFY` asks for the schema cache, or the settings, to be read again.',
  }),
  PGRST_DB_CHANNEL_ENABLED: booleanVariable({
    default: 'true',
    description: 'Whether anybody listens there.',
  }),
  PGRST_DB_TIMEZONE_ENABLED: booleanVariable({
    default: 'true',
    description: 'Whether clients may name their time zone by `Prefer: timezone=…`.',
  }),
  PGRST_JWT_SECRET: textVariable(`${JWT_SECRET_ALLOWED}, or ${FILE_ALLOWED}`, {
    default: undefined,
    secret: true,
    description: "What tokens are verified with, besides the instance's own keys.",
  }),
  PGRST_JWT_SECRET_IS_BASE64: booleanVariable({
    default: 'false',
    description: 'Whether PGRST_JWT_SECRET is written in base64.',
  }),
  PGRST_JWT_AUD: variable(
    z.string().refine((text) => !text.includes(':') || URL.canParse(text)),
    'a name or a URI',
    { default: undefined, description: 'Audience that tokens with an `aud` must be for. Unset: any.' },
  ),
  PGRST_JWT_ROLE_CLAIM_KEY: variable(
    z.string().refine(isRoleClaimPath),
    'a path such as $.role, $.app_metadata.roles[0] or $.roles[?(@ == "x")]',
    { default: '$.role', description: 'Where in the claims of a token its role is.' },
  ),
  PGRST_JWT_CACHE_MAX_ENTRIES: integerVariable(0, 1_000_000, {
    default: '1000',
    description: 'How many verified tokens are remembered; 0: none.',
  }),
  PGRST_OPENAPI_MODE: variable(z.enum(OPENAPI_MODES), OPENAPI_MODES.join(', '), {
    default: 'follow-privileges',
    description:
      'Whether the OpenAPI document at / tells what the role may use, everything, or is not there.',
  }),
  PGRST_OPENAPI_SERVER_PROXY_URI: urlVariable({
    default: undefined,
    description: 'Public URL of the data API in that document. Unset: API_EXTERNAL_URL followed by /rest/v1.',
  }),
  PGRST_OPENAPI_SECURITY_ACTIVE: booleanVariable({
    default: 'false',
    description: 'Whether that document says that tokens are sent.',
  }),
  PGRST_SERVER_CORS_ALLOWED_ORIGINS: listVariable(
    'origins such as https://example.org separated by commas',
    { default: undefined, description: 'Sites whose pages may ask. Unset: all.' },
    ORIGIN,
  ),
  PGRST_SERVER_TIMING_ENABLED: booleanVariable({
    default: 'false',
    description: 'Whether answers tell by `Server-Timing` what took how long.',
  }),
  PGRST_SERVER_TRACE_HEADER: variable(
    z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/),
    'the name of a request header',
    {
      default: undefined,
      description: 'Header that answers repeat, to find a request again.',
    },
  ),
  PGRST_CLIENT_ERROR_VERBOSITY: variable(z.enum(VERBOSITIES), VERBOSITIES.join(', '), {
    default: 'verbose',
    description: 'With minimal, errors have neither details nor hints.',
  }),
  PGRST_LOG_QUERY: booleanVariable({
    default: 'false',
    description:
      'Whether the SQL of requests is logged, without its values: at level info of all, at warn of those with 4xx and 5xx, at error of those with 5xx.',
  }),
  PGRST_URL_USE_LEGACY_TARGET_NAMES: booleanVariable({
    default: 'true',
    description: 'Whether parameters may name an embedded relation that has an alias by its own name.',
  }),
};

function splitNames(text: string): string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/** Settings of the data API. */
export interface DataConfig {
  /** The first is the one for who names none. */
  schemas: readonly [string, ...string[]];
  extraSearchPath: readonly string[];
  /** Undefined: none is set; what counts then is for whoever prepares the database to say. */
  anonRole: string | undefined;
  /** Undefined: no limit. */
  maxRows: number | undefined;
  preRequest: FunctionName | undefined;
  allowsAggregates: boolean;
  allowsPlans: boolean;
  transactionEnd: { rollsBack: boolean; allowsOverride: boolean };
  hoistedSettings: readonly string[];
  /** 0 for the last two: no limit. */
  pool: { maxConnections: number; acquisitionTimeoutMs: number; maxLifetimeMs: number; maxIdleMs: number };
  preparesStatements: boolean;
  /** Settings in the database, and what may set them first. */
  databaseConfig: { isEnabled: boolean; preConfig: FunctionName | undefined };
  /** Undefined: nobody listens. */
  channel: string | undefined;
  allowsTimezone: boolean;
  jwt: {
    /** Undefined: the instance's own keys only. */
    secret: JwtSecret | undefined;
    audience: string | undefined;
    /** A path, see {@link ./data/role-claim.ts}. */
    roleClaimKey: string;
    cacheMaxEntries: number;
  };
  /** Names begin with `app.settings.`. */
  appSettings: readonly (readonly [name: string, value: string])[];
  openApi: {
    mode: (typeof OPENAPI_MODES)[number];
    rootFunction: FunctionName | undefined;
    proxyUri: string | undefined;
    isSecurityActive: boolean;
  };
  /** Undefined: all. */
  corsAllowedOrigins: readonly string[] | undefined;
  tellsTiming: boolean;
  /** In lower case. */
  traceHeader: string | undefined;
  errorVerbosity: (typeof VERBOSITIES)[number];
  logsQueries: boolean;
  allowsTargetNames: boolean;
}

/**
 * Groups the values of the variables by what they are for.
 * @param source where settings of people's own are found, whose names nobody knows beforehand
 */
export function dataConfig(
  values: Values<typeof dataVariables>,
  source: Readonly<Record<string, string | undefined>>,
): DataConfig {
  const secret = values.PGRST_JWT_SECRET;
  return {
    schemas: values.PGRST_DB_SCHEMAS as [string, ...string[]],
    extraSearchPath: values.PGRST_DB_EXTRA_SEARCH_PATH,
    anonRole: values.PGRST_DB_ANON_ROLE,
    maxRows: values.PGRST_DB_MAX_ROWS,
    preRequest: values.PGRST_DB_PRE_REQUEST,
    allowsAggregates: values.PGRST_DB_AGGREGATES_ENABLED,
    allowsPlans: values.PGRST_DB_PLAN_ENABLED,
    transactionEnd: {
      rollsBack: values.PGRST_DB_TX_END.startsWith('rollback'),
      allowsOverride: values.PGRST_DB_TX_END.endsWith('-allow-override'),
    },
    hoistedSettings: values.PGRST_DB_HOISTED_TX_SETTINGS,
    pool: {
      maxConnections: values.PGRST_DB_POOL,
      acquisitionTimeoutMs: values.PGRST_DB_POOL_ACQUISITION_TIMEOUT * 1000,
      maxLifetimeMs: values.PGRST_DB_POOL_MAX_LIFETIME * 1000,
      maxIdleMs: values.PGRST_DB_POOL_MAX_IDLETIME * 1000,
    },
    preparesStatements: values.PGRST_DB_PREPARED_STATEMENTS,
    databaseConfig: {
      isEnabled: values.PGRST_DB_CONFIG,
      preConfig: values.PGRST_DB_PRE_CONFIG,
    },
    channel: values.PGRST_DB_CHANNEL_ENABLED ? values.PGRST_DB_CHANNEL : undefined,
    allowsTimezone: values.PGRST_DB_TIMEZONE_ENABLED,
    jwt: {
      secret:
        secret === undefined
          ? undefined
          : requireJwtSecret({ text: secret, isBase64: values.PGRST_JWT_SECRET_IS_BASE64 }),
      audience: values.PGRST_JWT_AUD,
      roleClaimKey: values.PGRST_JWT_ROLE_CLAIM_KEY,
      cacheMaxEntries: values.PGRST_JWT_CACHE_MAX_ENTRIES,
    },
    appSettings: appSettings(source),
    openApi: {
      mode: values.PGRST_OPENAPI_MODE,
      rootFunction: values.PGRST_DB_ROOT_SPEC,
      proxyUri: values.PGRST_OPENAPI_SERVER_PROXY_URI,
      isSecurityActive: values.PGRST_OPENAPI_SECURITY_ACTIVE,
    },
    corsAllowedOrigins: values.PGRST_SERVER_CORS_ALLOWED_ORIGINS,
    tellsTiming: values.PGRST_SERVER_TIMING_ENABLED,
    traceHeader: values.PGRST_SERVER_TRACE_HEADER?.toLowerCase(),
    errorVerbosity: values.PGRST_CLIENT_ERROR_VERBOSITY,
    logsQueries: values.PGRST_LOG_QUERY,
    allowsTargetNames: values.PGRST_URL_USE_LEGACY_TARGET_NAMES,
  };
}
