/**
 * Settings of the data API, or storage, alone on a foreign database. Settings in common with PostgREST can also be set
 * by their PostgREST names.
 */
import {
  type AutomaticHttps,
  automaticHttpsTree,
  booleanSetting,
  ConfigError,
  type ConfigProblem,
  type ConfigSource,
  enumSetting,
  instanceSettings,
  integerSetting,
  parseConnectionString,
  parseSettings,
  resolveSource,
  type SettingsOf,
  setting,
  textSetting,
  withLibpqVariables,
} from '@greenroom/config';
import { z } from 'zod';
import type { ListenAddress } from './listen.ts';
import { type Config, loadConfig } from './settings.ts';

const { host: HOST, databaseUrl: DATABASE_URL } = instanceSettings.tree;

/**
 * Names for all addresses in Warp, PostgREST's HTTP server. `*4` and `*6` prefer IPv4 or IPv6, which Node.js cannot do.
 */
const ALL_ADDRESSES: ReadonlyMap<string, string> = new Map([
  ['*', '::'],
  ['*4', '0.0.0.0'],
  ['!4', '0.0.0.0'],
  ['*6', '::'],
  ['!6', '::'],
]);
const ADDRESS = z
  .string()
  .transform((text) => ALL_ADDRESSES.get(text) ?? text)
  .pipe(HOST.schema);
const ADDRESS_ALLOWED = `${HOST.allowed}, or *, *4, !4, *6, !6 for all`;

/** Sockets are always accessible to their owner; group and others may have access. */
const MODE = z
  .string()
  .regex(/^0?[67][0-7]{2}$/)
  .transform((text) => Number.parseInt(text, 8));
const MODE_ALLOWED = 'three octal digits from 600 to 777';

const CONNECTION_STRING = z.string().transform((text, context) => {
  const url = parseConnectionString(text);
  if (url === undefined) context.addIssue('no connection string');
  return url ?? z.NEVER;
});

const tree = {
  databaseUrl: setting(
    'PGRST_DB_URI',
    CONNECTION_STRING,
    'postgresql://user:password@host:port/database, host=… port=… user=… password=… dbname=…',
    {
      default: undefined,
      secret: true,
      file: 'trimmed',
      description: 'Database of the data API alone, if DATABASE_URL is unset.',
    },
  ),
  host: setting('PGRST_SERVER_HOST', ADDRESS, ADDRESS_ALLOWED, {
    default: undefined,
    description: 'Address of the data API alone, if HOST is unset.',
  }),
  port: integerSetting('PGRST_SERVER_PORT', 0, 65_535, {
    default: undefined,
    description: 'Port of the data API alone, if PORT is unset.',
  }),
  isPortShared: booleanSetting('PGRST_SERVER_REUSEPORT', {
    default: 'false',
    description: 'Whether other servers may listen on the same port as the data API alone.',
  }),
  socket: textSetting('PGRST_SERVER_UNIX_SOCKET', 'a path', {
    default: undefined,
    description: 'Unix socket of the data API alone, instead of a port.',
  }),
  socketMode: setting('PGRST_SERVER_UNIX_SOCKET_MODE', MODE, MODE_ALLOWED, {
    default: '660',
    description: 'Permissions of PGRST_SERVER_UNIX_SOCKET.',
  }),
  adminHost: setting('PGRST_ADMIN_SERVER_HOST', ADDRESS, ADDRESS_ALLOWED, {
    default: undefined,
    description: 'Address of the admin server. Unset: the address of the data API.',
  }),
  adminPort: integerSetting('PGRST_ADMIN_SERVER_PORT', 1, 65_535, {
    default: undefined,
    description:
      'Port of the admin server of the data API alone, which serves `/live`, `/ready` and `/metrics`.',
  }),
  adminSocket: textSetting('PGRST_ADMIN_SERVER_UNIX_SOCKET', 'a path', {
    default: undefined,
    description: 'Unix socket of the admin server, instead of a port.',
  }),
  adminSocketMode: setting('PGRST_ADMIN_SERVER_UNIX_SOCKET_MODE', MODE, MODE_ALLOWED, {
    default: '660',
    description: 'Permissions of PGRST_ADMIN_SERVER_UNIX_SOCKET.',
  }),
  /** PostgREST's levels; all but the first are the same here. */
  logLevel: enumSetting('PGRST_LOG_LEVEL', ['crit', 'error', 'warn', 'info', 'debug'], {
    default: undefined,
    description: 'Minimum log level of the data API alone, if LOG_LEVEL is unset.',
  }).map((level) => (level === 'crit' ? 'fatal' : level)),
};

/** The group, for the reference page. */
export const standaloneSettings = { title: 'The data API alone', tree };

type StandaloneValues = SettingsOf<typeof tree>;

/** The addresses of the data API alone, and of its admin server if it has one. */
interface StandaloneListening {
  api: ListenAddress;
  admin: ListenAddress | undefined;
}

/** Configuration of a data API, or of storage, that runs alone. */
export interface StandaloneConfig extends Config {
  databaseUrl: string;
  /** Addresses of the data API. */
  listening: StandaloneListening;
}

/** Parses settings for the data API, or storage, alone. Throws ConfigError that lists every wrong one. */
export function loadStandaloneConfig(source: ConfigSource): StandaloneConfig {
  const read = resolveSource({ tree, DATABASE_URL }, source);
  const values = parseSettings(tree, read);
  const config = loadConfig(withOwnNames(read, values));
  const { databaseUrl } = config;
  if (databaseUrl === undefined) {
    throw new ConfigError([
      {
        name: DATABASE_URL.name,
        value: '',
        allowed: `${DATABASE_URL.allowed}, or @path of a file with it (the data API and storage alone require an external database)`,
      },
    ]);
  }
  if (config.tls?.kind === 'obtained') throw new ConfigError([ofWholeInstance(config.tls)]);
  const listening = standaloneListening(values, config);
  if (isSamePort(listening)) {
    const { name, allowed } = tree.adminPort;
    throw new ConfigError([{ name, value: read[name], allowed: `${allowed}; different from PORT` }]);
  }
  return { ...config, databaseUrl, listening, source };
}

/** The problem of domains for a service that runs alone. */
function ofWholeInstance({ domains }: AutomaticHttps): ConfigProblem {
  const allowed =
    'unset (only whole instances obtain certificates; GREENROOM_TLS_CERT_FILE names the files of one)';
  return { name: automaticHttpsTree.domains.name, value: domains.join(), allowed };
}

/** Returns the settings as text, under this program's names if only PostgREST's or libpq's names are set. */
function withOwnNames(source: ConfigSource, values: StandaloneValues): ConfigSource {
  return {
    ...source,
    DATABASE_URL: withLibpqVariables(source.DATABASE_URL || values.databaseUrl, source),
    HOST: source.HOST || values.host,
    PORT: source.PORT || values.port?.toString(),
    LOG_LEVEL: source.LOG_LEVEL || values.logLevel,
  };
}

/** Sockets take precedence over ports. */
function standaloneListening(
  values: StandaloneValues,
  { host, port }: { host: string; port: number },
): StandaloneListening {
  const { adminHost = host, adminPort } = values;
  return {
    api: socket(values.socket, values.socketMode) ?? {
      kind: 'port',
      host,
      port,
      isShared: values.isPortShared,
    },
    admin:
      socket(values.adminSocket, values.adminSocketMode) ??
      (adminPort === undefined
        ? undefined
        : { kind: 'port', host: adminHost, port: adminPort, isShared: false }),
  };
}

function socket(path: string | undefined, mode: number): ListenAddress | undefined {
  return path === undefined ? undefined : { kind: 'socket', path, mode };
}

/** Two servers cannot use the same port. */
function isSamePort({ api, admin }: StandaloneListening): boolean {
  return api.kind === 'port' && admin?.kind === 'port' && api.port === admin.port;
}
