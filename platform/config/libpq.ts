/**
 * How libpq is told where a database is (PostgreSQL's documentation, "Connection Strings" and "Environment Variables"):
 * by a URL, by `host=… dbname=…`, and by variables for whatever neither of them says. Here all become one URL.
 */

/** What is a part of a URL of its own; everything else goes behind the question mark. */
const PARTS = ['host', 'hostaddr', 'port', 'user', 'password', 'dbname'] as const;

type Settings = Readonly<Record<string, string>>;

/** The variables, and what they stand for. */
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
/** Whoever sets one of them says that there is a database. */
const PLACES = ['PGHOST', 'PGPORT', 'PGUSER', 'PGDATABASE'];

/** `keyword = value`, the value perhaps in quotes; a backslash takes its meaning from what comes after it. */
const PAIR = /\s*(\w+)\s*=\s*(?:'((?:[^'\\]|\\.)*)'|((?!')(?:[^\s\\]|\\.)*))(?=\s|$)/y;

/** Whether a text is a URL of a PostgreSQL. */
export function isPostgresUrl(text: string): boolean {
  return URL.canParse(text) && /^postgres(ql)?:$/.test(new URL(text).protocol);
}

/** A connection string as a URL; undefined where it is none. */
export function parseConnectionString(text: string): string | undefined {
  if (isPostgresUrl(text)) return text;
  const settings = parsePairs(text);
  return settings && toUrl(settings);
}

/**
 * The URL with what it leaves open taken from the variables of libpq. Undefined where neither says anything; what is no such URL stays as it is.
 * @param source settings as text, e.g. `process.env`
 */
export function withLibpqVariables(
  url: string | undefined,
  source: Readonly<Record<string, string | undefined>>,
): string | undefined {
  if (url === undefined ? !PLACES.some((name) => source[name]) : !isPostgresUrl(url)) return url;
  const found = [...VARIABLES].flatMap(([name, keyword]) =>
    source[name] ? [[keyword, source[name]] as const] : [],
  );
  if (found.length === 0) return url;
  const given = url === undefined ? {} : fromUrl(url);
  const sslmode = given.sslmode ?? source.PGSSLMODE;
  // libpq tries without TLS first, or too; pg would take any word about certificates for a wish to have TLS.
  const added = found.filter(
    ([keyword, value]) =>
      given[keyword] === undefined &&
      (!keyword.startsWith('ssl') || (wantsTls(sslmode) && value !== 'allow')),
  );
  return added.length === 0 && url !== undefined ? url : toUrl({ ...given, ...Object.fromEntries(added) });
}

function wantsTls(sslmode: string | undefined): boolean {
  return sslmode !== undefined && sslmode !== 'disable' && sslmode !== 'allow';
}

function parsePairs(text: string): Settings | undefined {
  const settings: Record<string, string> = {};
  PAIR.lastIndex = 0;
  while (PAIR.lastIndex < text.trimEnd().length) {
    const [, keyword, quoted, bare = ''] = PAIR.exec(text) ?? [];
    if (keyword === undefined) return undefined;
    const value = (quoted ?? bare).replace(/\\(.)/gs, '$1');
    // An empty one says nothing.
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
  const said = Object.entries(parts).flatMap(([name, part]) =>
    part === '' ? [] : [[name, decodeURIComponent(part.replace(/%(?![\da-f]{2})/gi, '%25'))] as const],
  );
  return { ...Object.fromEntries(said), ...Object.fromEntries(url.searchParams) };
}

function isPort(text: string): boolean {
  return /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535;
}

/** Undefined where there can be none. A folder with a Unix socket is no host of a URL, which has to have one all the same. */
function toUrl(settings: Settings): string | undefined {
  const {
    hostaddr,
    host = 'localhost',
    port,
    user,
    password,
    dbname = user ?? '',
  }: Partial<Settings> = settings;
  const place = hostaddr ?? host;
  const isSocket = place.startsWith('/');
  const base = `postgresql://${isSocket ? 'localhost' : place.includes(':') ? `[${place}]` : place}`;
  if (!URL.canParse(base) || (port !== undefined && !isPort(port))) return undefined;
  const url = new URL(base);
  if (user !== undefined) url.username = encodeURIComponent(user);
  if (password !== undefined) url.password = encodeURIComponent(password);
  if (port !== undefined) url.port = port;
  // pg decodes by decodeURI, which leaves what encodeURI does not encode.
  url.pathname = `/${encodeURI(dbname).replace(/[?#]/g, encodeURIComponent)}`;
  for (const [name, value] of Object.entries(settings)) {
    if (!(PARTS as readonly string[]).includes(name)) url.searchParams.set(name, value);
  }
  if (isSocket) url.searchParams.set('host', place);
  url.search = url.search.replaceAll('+', '%20');
  return url.href;
}
