/**
 * Reads the location of a database in the ways of libpq (PostgreSQL's documentation, "Connection Strings" and
 * "Environment Variables"): a URL, a string `host=… dbname=…`, and environment variables for missing values. Converts
 * all of them to one URL.
 */

/** Keywords that have their own place in a URL; all others become query parameters. */
const PARTS = ['host', 'hostaddr', 'port', 'user', 'password', 'dbname'] as const;

type Settings = Readonly<Record<string, string>>;

/** Environment variables and their keywords. */
const VARIABLES: ReadonlyMap<string, string> = new Map([
  ['PGHOST', 'host'],
  ['PGPORT', 'port'],
  ['PGUSER', 'user'],
  ['PGPASSWORD', 'password'],
  ['PGDATABASE', 'dbname'],
  ['PGOPTIONS', 'options'],
  ['PGSSLMODE', 'sslmode'],
  ['PGSSLROOTCERT', 'sslrootcert'],
  ['PGSSLCERT', 'sslcert'],
  ['PGSSLKEY', 'sslkey'],
]);
/** A database is configured if one of these variables is set. */
const LOCATION_VARIABLES = ['PGHOST', 'PGPORT', 'PGUSER', 'PGDATABASE'];

/** `keyword = value`, with an optionally quoted value; a backslash escapes the next character. */
const PAIR = /\s*(\w+)\s*=\s*(?:'((?:[^'\\]|\\.)*)'|((?!')(?:[^\s\\]|\\.)*))(?=\s|$)/y;

/** Whether a text is a URL of a PostgreSQL server. */
export function isPostgresUrl(text: string): boolean {
  return URL.canParse(text) && /^postgres(ql)?:$/.test(new URL(text).protocol);
}

/** Converts a connection string to a URL; returns undefined if the text is not a connection string. */
export function parseConnectionString(text: string): string | undefined {
  if (isPostgresUrl(text)) return text;
  const settings = parsePairs(text);
  return settings && toUrl(settings);
}

/**
 * Fills in missing parts of the URL from the variables of libpq. Returns undefined if neither specifies a database;
 * returns a `url` that is not a PostgreSQL URL unchanged.
 * @param source settings as text, e.g. `process.env`
 */
export function withLibpqVariables(
  url: string | undefined,
  source: Readonly<Record<string, string | undefined>>,
): string | undefined {
  if (url === undefined ? !LOCATION_VARIABLES.some((name) => source[name]) : !isPostgresUrl(url)) return url;
  const found = [...VARIABLES].flatMap(([name, keyword]) =>
    source[name] ? [[keyword, source[name]] as const] : [],
  );
  if (found.length === 0) return url;
  const current = url === undefined ? {} : fromUrl(url);
  const sslmode = current.sslmode ?? source.PGSSLMODE;
  // By default libpq falls back to a connection without TLS; pg would interpret any certificate option as a request for
  // TLS.
  const added = found.filter(
    ([keyword, value]) =>
      current[keyword] === undefined &&
      (!keyword.startsWith('ssl') || (requestsTls(sslmode) && value !== 'allow')),
  );
  return added.length === 0 && url !== undefined ? url : toUrl({ ...current, ...Object.fromEntries(added) });
}

function requestsTls(sslmode: string | undefined): boolean {
  return sslmode !== undefined && sslmode !== 'disable' && sslmode !== 'allow';
}

function parsePairs(text: string): Settings | undefined {
  const settings: Record<string, string> = {};
  PAIR.lastIndex = 0;
  while (PAIR.lastIndex < text.trimEnd().length) {
    const [, keyword, quoted, bare = ''] = PAIR.exec(text) ?? [];
    if (keyword === undefined) return undefined;
    const value = (quoted ?? bare).replace(/\\(.)/gs, '$1');
    // An empty value counts as not set.
    if (value !== '') settings[keyword] = value;
  }
  return PARTS.some((name) => settings[name] !== undefined) ? settings : undefined;
}

function fromUrl(text: string): Settings {
  const url = new URL(text);
  const parts = {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port,
    user: url.username,
    password: url.password,
    dbname: url.pathname.slice(1),
  };
  const entries = Object.entries(parts).flatMap(([name, part]) =>
    part === '' ? [] : [[name, decodeURIComponent(part.replace(/%(?![\da-f]{2})/gi, '%25'))] as const],
  );
  return { ...Object.fromEntries(entries), ...Object.fromEntries(url.searchParams) };
}

function isPort(text: string): boolean {
  return /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535;
}

/**
 * Returns undefined if the settings result in an invalid URL. The folder of a Unix socket is a query parameter, because
 * it cannot be the host of a URL; `localhost` is the host then.
 */
function toUrl(settings: Settings): string | undefined {
  const {
    hostaddr,
    host = 'localhost',
    port,
    user,
    password,
    dbname = user ?? '',
  }: Partial<Settings> = settings;
  const target = hostaddr ?? host;
  const isSocket = target.startsWith('/');
  const base = `postgresql://${isSocket ? 'localhost' : target.includes(':') ? `[${target}]` : target}`;
  if (!URL.canParse(base) || (port !== undefined && !isPort(port))) return undefined;
  const url = new URL(base);
  if (user !== undefined) url.username = encodeURIComponent(user);
  if (password !== undefined) url.password = encodeURIComponent(password);
  if (port !== undefined) url.port = port;
  // pg decodes with decodeURI, which does not decode the characters that encodeURI leaves unencoded.
  url.pathname = `/${encodeURI(dbname).replace(/[?#]/g, encodeURIComponent)}`;
  for (const [name, value] of Object.entries(settings)) {
    if (!(PARTS as readonly string[]).includes(name)) url.searchParams.set(name, value);
  }
  if (isSocket) url.searchParams.set('host', target);
  url.search = url.search.replaceAll('+', '%20');
  return url.href;
}
