/** Logs in as the superuser of a cluster of this or an earlier version. */
import pg from 'pg';
import { isLoginRefused } from '../../role-login.ts';
import { withSystemSearchPath } from '../../system-search-path.ts';
import { PROJECT_OWNER, type RolePasswords, SUPERUSER } from './role-names.ts';

/** No password that this start has is that of the superuser of the cluster. */
class SuperuserPasswordError extends Error {
  override readonly name = 'SuperuserPasswordError';

  constructor(cluster: string) {
    super(
      `no password in "keys.json" is that of the superuser of the database cluster ${cluster}. ` +
        'Restore both from the same backup.',
    );
  }
}

/** Options of {@link logInAsSuperuser}. */
interface Login {
  /** Folder of the cluster, for messages. */
  cluster: string;
  /** Connection URL; its role and password are replaced. */
  url: string;
  passwords: RolePasswords;
  /** Password of the template that the cluster is a copy of, if it may still be in use. */
  templatePassword: string | undefined;
  /** Whether `postgres` may be the superuser; then its login is tried first, because each refused one is logged. */
  mayBeFormer: boolean;
}

/**
 * Opens a connection as the superuser: `supabase_admin`, or `postgres` in a cluster of an earlier version. Throws
 * {@link SuperuserPasswordError} if neither has a known password.
 */
export async function logInAsSuperuser(login: Login): Promise<pg.Client> {
  for (const attempt of attemptsOf(login)) {
    const client = await connect(login.url, attempt);
    if (client === undefined) continue;
    const { rows } = await client.query(
      'select rolsuper from pg_catalog.pg_roles where rolname = current_user',
    );
    if (rows[0]?.rolsuper === true) return withoutEventTriggers(client);
    await client.end();
  }
  throw new SuperuserPasswordError(login.cluster);
}

/** Returns the logins to try, in this order. */
function attemptsOf({ templatePassword, passwords, mayBeFormer }: Login): Attempt[] {
  const ofTemplate = templatePassword === undefined ? [] : [templatePassword];
  const superuser = [...ofTemplate, passwords.superuser].map((password) => ({ role: SUPERUSER, password }));
  const owner = [...ofTemplate, passwords.projectOwner, ...passwords.former].map((password) => ({
    role: PROJECT_OWNER,
    password,
  }));
  return mayBeFormer && templatePassword === undefined ? [...owner, ...superuser] : [...superuser, ...owner];
}

interface Attempt {
  role: string;
  password: string;
}

/** Returns undefined if the login is refused. */
async function connect(url: string, { role, password }: Attempt): Promise<pg.Client | undefined> {
  const client = createClient(loginUrl(url, { role, password }));
  try {
    await client.connect();
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    if (isLoginRefused(error)) return undefined;
    throw error;
  }
}

/**
 * Opens a connection for statements of Greenroom as the superuser, which run no code of the project: neither functions that
 * stand in for those of PostgreSQL, nor event triggers.
 */
export async function connectAsSuperuser(url: string): Promise<pg.Client> {
  const client = createClient(url);
  await client.connect();
  return withoutEventTriggers(client);
}

function createClient(url: string): pg.Client {
  return new pg.Client({
    connectionString: withSystemSearchPath(url),
    application_name: 'greenroom roles',
  });
}

/** Only a superuser may set the parameter. */
async function withoutEventTriggers(client: pg.Client): Promise<pg.Client> {
  await client.query('set event_triggers = off');
  return client;
}

/** Returns the URL with another login, and optionally another database. */
export function loginUrl(
  url: string,
  { role, password, database }: { role: string; password: string; database?: string },
): string {
  const target = new URL(url);
  target.username = role;
  target.password = encodeURIComponent(password);
  if (database !== undefined) target.pathname = `/${encodeURIComponent(database)}`;
  return target.href;
}
