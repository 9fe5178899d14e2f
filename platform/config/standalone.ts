/** Settings of the data API where it stands alone. What it has in common with PostgREST may have the names used there. */

import { z } from 'zod';
import { parseConnectionString, withLibpqVariables } from './libpq.ts';
import { platformVariables } from './platform.ts';
import { FILE_ALLOWED } from './setting-files.ts';
import { booleanVariable, integerVariable, textVariable, type Values, variable } from './variable.ts';

/** PostgREST's levels, least first. They are called as ours are, but for the first. */
const LOG_LEVELS = ['crit', 'error', 'warn', 'info', 'debug'] as const;

/** Warp's names for all addresses; Node.js prefers neither kind of them. */
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
  .pipe(platformVariables.HOST.schema);
const ADDRESS_ALLOWED = `${platformVariables.HOST.allowed}, or *, *4, !4, *6, !6 for all`;

/** Files of sockets are for their owner and group, and others at most. */
const MODE = z
  .string()
  .regex(/^0?[67][0-7]{2}$/)
  .transform((text) => Number.parseInt(text, 8));

const CONNECTION_STRING = z.string().transform((text, context) => {
  const url = parseConnectionString(text);
  if (url === undefined) context.addIssue('no connection string');
  return url ?? z.NEVER;
});

/** Environment variables that count only there: PostgREST's names for some of ours, and what only a server alone has. */
export const standaloneVariables = {
  PGRST_DB_URI: variable(
    CONNECTION_STRING,
    `postgresql://user:password@host:port/database, host=… port=… user=… password=… dbname=…, or ${FILE_ALLOWED}`,
    {
      default: undefined,
      secret: true,
      description: 'DATABASE_URL, where the data API stands alone and that one is not set.',
    },
  ),
  PGRST_SERVER_HOST: variable(ADDRESS, ADDRESS_ALLOWED, {
    default: undefined,
    description: 'HOST, where the data API stands alone and that one is not set.',
  }),
  PGRST_SERVER_PORT: {
    ...platformVariables.PORT,
    default: undefined,
    description: 'PORT, where the data API stands alone and that one is not set.',
  },
  PGRST_SERVER_REUSEPORT: booleanVariable({
    default: 'false',
    description: 'Whether other servers may listen on the same port; the data API alone.',
  }),
  PGRST_SERVER_UNIX_SOCKET: textVariable('a path', {
    default: undefined,
    description: 'Unix socket to listen on instead of a port; the data API alone.',
  }),
  PGRST_SERVER_UNIX_SOCKET_MODE: variable(MODE, 'three octal digits from 600 to 777', {
    default: '660',
    description: 'Who may use that socket.',
  }),
  PGRST_ADMIN_SERVER_HOST: variable(ADDRESS, ADDRESS_ALLOWED, {
    default: undefined,
    description: 'Address of the admin server. Unset: the same as of the data API.',
  }),
  PGRST_ADMIN_SERVER_PORT: integerVariable(1, 65_535, {
    default: undefined,
    description: 'Port of the admin server: `/live`, `/ready` and `/metrics` of the data API alone.',
  }),
  PGRST_ADMIN_SERVER_UNIX_SOCKET: textVariable('a path', {
    default: undefined,
    description: 'Unix socket of the admin server instead of a port.',
  }),
  PGRST_ADMIN_SERVER_UNIX_SOCKET_MODE: variable(MODE, 'three octal digits from 600 to 777', {
    default: '660',
    description: 'Who may use that socket.',
  }),
  PGRST_LOG_LEVEL: variable(
    z.enum(LOG_LEVELS).transform((level) => (level === 'crit' ? 'fatal' : level)),
    LOG_LEVELS.join(', '),
    {
      default: undefined,
      description: 'LOG_LEVEL, where the data API stands alone and that one is not set.',
    },
  ),
};

type Source = Readonly<Record<string, string | undefined>>;

/** Settings as text, with our names for what has only PostgREST's, or libpq's. */
export function withOwnNames(source: Source, values: Values<typeof standaloneVariables>): Source {
  return {
    ...source,
    DATABASE_URL: withLibpqVariables(source.DATABASE_URL || values.PGRST_DB_URI, source),
    HOST: source.HOST || values.PGRST_SERVER_HOST,
    PORT: source.PORT || values.PGRST_SERVER_PORT?.toString(),
    LOG_LEVEL: source.LOG_LEVEL || values.PGRST_LOG_LEVEL,
  };
}

/** Where a server listens. */
export type Listening =
  | { kind: 'port'; host: string; port: number; isShared: boolean }
  | { kind: 'socket'; path: string; mode: number };

/** Where the data API alone listens, and its admin server, if there is one. */
export interface StandaloneListening {
  api: Listening;
  admin: Listening | undefined;
}

/** Both of them; sockets win over ports. */
export function standaloneListening(
  values: Values<typeof standaloneVariables>,
  { host, port }: { host: string; port: number },
): StandaloneListening {
  const admin = { host: values.PGRST_ADMIN_SERVER_HOST ?? host, port: values.PGRST_ADMIN_SERVER_PORT };
  return {
    api: socket(values.PGRST_SERVER_UNIX_SOCKET, values.PGRST_SERVER_UNIX_SOCKET_MODE) ?? {
      kind: 'port',
      host,
      port,
      isShared: values.PGRST_SERVER_REUSEPORT,
    },
    admin:
      socket(values.PGRST_ADMIN_SERVER_UNIX_SOCKET, values.PGRST_ADMIN_SERVER_UNIX_SOCKET_MODE) ??
      (admin.port === undefined
        ? undefined
        : { kind: 'port', host: admin.host, port: admin.port, isShared: false }),
  };
}

function socket(path: string | undefined, mode: number): Listening | undefined {
  return path === undefined ? undefined : { kind: 'socket', path, mode };
}
