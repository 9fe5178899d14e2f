/** Checks that an external PostgreSQL (`DATABASE_URL`) meets the requirements. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { isDatabaseUnavailable } from './connection-failure.ts';

const OLDEST_VERSION = 15;
/** Maximum time of one attempt to connect. */
const CONNECT_TIMEOUT_MS = 10_000;
/** The error of pg has no code. */
const CONNECT_TIMED_OUT = 'timeout expired';
const RETRY_MS = 500;

/** How long a server that does not respond is waited for. */
interface Waiting {
  /** 0: only one attempt. */
  timeoutMs: number;
  /** Receives the reason of the first failed attempt if others follow. */
  onWait?: (reason: string) => void;
  /** Ends the wait. */
  signal?: AbortSignal | undefined;
}

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
 * error that lists all missing requirements. Retries while the server does not accept connections.
 */
export async function checkExternalPostgres(
  url: string,
  waiting: Waiting = { timeoutMs: 0 },
): Promise<string[]> {
  const rights = await readRights(await connect(url, waiting));
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

/** Retries only if a later attempt may succeed, e.g. not after a wrong password. */
async function connect(url: string, { timeoutMs, onWait, signal }: Waiting): Promise<pg.Client> {
  const deadline = Date.now() + timeoutMs;
  for (let attempt = 1; ; attempt += 1) {
    const remainingMs = timeoutMs === 0 ? CONNECT_TIMEOUT_MS : Math.max(deadline - Date.now(), 1);
    const connectionTimeoutMillis = Math.min(remainingMs, CONNECT_TIMEOUT_MS);
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis });
    try {
      await client.connect();
      return client;
    } catch (error) {
      const reason = reasonOf(error);
      if (!mayPass(error)) throw cannotConnect(reason, error);
      if (Date.now() + RETRY_MS >= deadline) throw cannotConnect(reason, error, timeoutMs);
      if (attempt === 1) onWait?.(reason);
    }
    await sleep(RETRY_MS, undefined, { signal }).catch((error: unknown) => {
      throw new Error('stopped before the database of DATABASE_URL accepted connections', { cause: error });
    });
  }
}

function mayPass(error: unknown): boolean {
  return isDatabaseUnavailable(error) || (error as Error).message === CONNECT_TIMED_OUT;
}

/** Connecting to a host with several addresses fails with one error for each, and without a message. */
function reasonOf(error: unknown): string {
  return error instanceof AggregateError ? reasonOf(error.errors[0]) : (error as Error).message;
}

function cannotConnect(reason: string, cause: unknown, waitedMs = 0): Error {
  const waited =
    waitedMs === 0 ? '' : `; waited ${waitedMs / 1000} s (db.health_timeout or GREENROOM_DB_HEALTH_TIMEOUT)`;
  return new Error(`DATABASE_URL: cannot connect: ${reason}${waited}`, { cause });
}

async function readRights(client: pg.Client): Promise<Rights> {
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
