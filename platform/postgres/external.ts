/** An external PostgreSQL (`DATABASE_URL`): is it one that we can live in? */
import pg from 'pg';

const OLDEST_VERSION = 15;

interface Rights {
  version: number;
  role: string;
  superuser: boolean;
  createrole: boolean;
  bypassrls: boolean;
  createSchemas: boolean;
  walLevel: string;
}

/**
 * Checks version and rights of an external server. Returns a warning where something optional is missing;
 * throws one error that names everything that is needed and missing.
 */
export async function checkExternalPostgres(url: string): Promise<string[]> {
  const rights = await readRights(url);
  const missing = missingRights(rights);
  if (missing.length > 0) {
    throw new Error(`DATABASE_URL: role "${rights.role}" cannot be used: ${missing.join('; ')}`);
  }
  return rights.walLevel === 'logical'
    ? []
    : [`wal_level is "${rights.walLevel}"; database changes reach realtime channels only with "logical"`];
}

async function readRights(url: string): Promise<Rights> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  try {
    await client.connect();
  } catch (error) {
    throw new Error(`DATABASE_URL: cannot connect: ${(error as Error).message}`, { cause: error });
  }
  try {
    const { rows } = await client.query<Rights>(`
      select current_setting('server_version_num')::int / 10000 as version, rolname as role,
        rolsuper as superuser, rolcreaterole as createrole, rolbypassrls as bypassrls,
        has_database_privilege(current_database(), 'create') as "createSchemas",
        current_setting('wal_level') as "walLevel"
      from pg_roles where rolname = current_user`);
    const [rights] = rows;
    if (!rights) throw new Error('DATABASE_URL: the login role is not in pg_roles');
    return rights;
  } finally {
    await client.end();
  }
}

/** What stands in the way, in words. Pure, so that each row can be tested. */
export function missingRights(rights: Omit<Rights, 'role' | 'walLevel'>): string[] {
  const missing: string[] = [];
  if (rights.version < OLDEST_VERSION) {
    missing.push(`PostgreSQL ${OLDEST_VERSION} or later is needed, this is ${rights.version}`);
  }
  if (rights.superuser) return missing;
  if (!rights.createrole) missing.push('it may not create roles (needs CREATEROLE)');
  // Before PostgreSQL 16 only a superuser could create a role that bypasses row-level security.
  if (rights.version < 16) missing.push('PostgreSQL 15 needs a superuser to create service_role (BYPASSRLS)');
  else if (!rights.bypassrls) missing.push('it may not create service_role (needs BYPASSRLS)');
  if (!rights.createSchemas) missing.push('it may not create schemas in this database (needs CREATE)');
  return missing;
}
