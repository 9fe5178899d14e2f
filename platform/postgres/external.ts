/** Checks that an external PostgreSQL (`DATABASE_URL`) meets the requirements. */
import pg from 'pg';

const OLDEST_VERSION = 15;

interface Rights {
  version: number;
  role: string;
  superuser: boolean;
  createrole: boolean;
  createdb: boolean;
  bypassrls: boolean;
  createSchemas: boolean;
  /** The role owns the database, directly or through a role whose privileges it has. */
  ownsDatabase: boolean;
  /** Owner of the schema `greenroom` if that is another role; null otherwise. */
  otherOwner: string | null;
  walLevel: string;
}

/**
 * Checks version and privileges of an external server. Returns a warning if something optional is missing; throws one
 * error that lists all missing requirements.
 */
export async function checkExternalPostgres(url: string): Promise<string[]> {
  const rights = await readRights(url);
  const missing = missingRights(rights);
  if (missing.length > 0) {
    throw new Error(`DATABASE_URL: role "${rights.role}" cannot be used: ${missing.join('; ')}`);
  }
  return rights.walLevel === 'logical'
    ? []
    : [
        `wal_level is "${rights.walLevel}"; set it to "logical" to receive database changes in realtime channels`,
      ];
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
        rolsuper as superuser, rolcreaterole as createrole, rolcreatedb as createdb,
        rolbypassrls as bypassrls, has_database_privilege(current_database(), 'create') as "createSchemas",
        (select pg_has_role(datdba, 'usage') from pg_database where datname = current_database())
          as "ownsDatabase",
        (select nspowner::regrole::text from pg_namespace
          where nspname = 'greenroom' and not pg_has_role(nspowner, 'usage')) as "otherOwner",
        current_setting('wal_level') as "walLevel"
      from pg_roles where rolname = current_user`);
    const [rights] = rows;
    if (!rights) throw new Error('DATABASE_URL: the login role does not exist in pg_roles');
    return rights;
  } finally {
    await client.end();
  }
}

/** Lists the missing requirements as texts. A pure function, so that each case can be tested. */
export function missingRights(rights: Omit<Rights, 'role' | 'walLevel'>): string[] {
  const missing: string[] = [];
  if (rights.version < OLDEST_VERSION) {
    missing.push(`PostgreSQL ${OLDEST_VERSION} or later is required, but the server runs ${rights.version}`);
  }
  if (rights.superuser) return missing;
  if (!rights.createrole) missing.push('it may not create roles (requires CREATEROLE)');
  missing.push(...missingAttributes(rights));
  if (!rights.createSchemas) missing.push('it may not create schemas in this database (requires CREATE)');
  if (!rights.ownsDatabase) missing.push('it may not change settings of this database (requires ownership)');
  if (rights.otherOwner !== null)
    missing.push(`the database was set up by "${rights.otherOwner}" and can only be used with that role`);
  return missing;
}

/**
 * Since PostgreSQL 16 a role can grant another role only the attributes that it has itself; before, only a superuser
 * could grant BYPASSRLS.
 */
function missingAttributes({
  version,
  createdb,
  bypassrls,
}: Pick<Rights, 'version' | 'createdb' | 'bypassrls'>) {
  if (version < 16) return ['PostgreSQL 15 requires a superuser to create service_role (BYPASSRLS)'];
  return [
    ...(createdb ? [] : ['it may not create supabase_admin and dashboard_user (requires CREATEDB)']),
    ...(bypassrls ? [] : ['it may not create service_role (requires BYPASSRLS)']),
  ];
}
