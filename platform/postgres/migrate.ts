/**
 * Versioned migrations: plain SQL files, each run once, in order, in a separate transaction, under an advisory lock so
 * that nodes that start at the same time run them one after the other.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import pg from 'pg';

/** The migrations of one service: files named `0001_what_it_does.sql`, never edited after a release. */
export interface MigrationSource {
  service: string;
  directory: URL;
  /**
   * Checksums of migrations that were edited before they were frozen: version → SHA-256 of other contents that may have
   * been applied.
   */
  otherChecksums?: Readonly<Record<string, readonly string[]>>;
}

/** A newer version of this program has migrated the database. */
class NewerDatabaseError extends Error {
  override readonly name = 'NewerDatabaseError';

  constructor(migrations: readonly string[]) {
    super(
      `the database was upgraded by a newer version of Greenroom, which applied ${migrations.join(', ')}. Start that version, or restore a backup from before the upgrade.`,
    );
  }
}

/** The migrations for the roles, schemas and request functions that every service depends on. */
export const platformMigrations: MigrationSource = {
  service: 'platform',
  directory: new URL('./migrations/', import.meta.url),
};

/** The number of the advisory lock: any constant, but it must never change. */
const MIGRATION_LOCK = 7_403_275_811;

const SLOW_MS = 1000;

const HISTORY = `
  create schema if not exists greenroom;
  create table if not exists greenroom.migrations (
    service text not null,
    version text not null,
    checksum text not null,
    applied_at timestamptz not null default now(),
    primary key (service, version)
  );
  alter table greenroom.migrations enable row level security;`;

interface Migration {
  service: string;
  version: string;
  sql: string;
  checksum: string;
  /** The checksum above, and others that count as applied. */
  accepted: readonly string[];
}

/** Options of {@link migrate}. */
interface MigrateOptions {
  /** Runs before anything is written to a database without migrations. If it rejects, the database stays unchanged. */
  beforeFirst?: () => Promise<void>;
  /** Called once for a migration that takes longer than a second: it may rewrite or index a large table. */
  onSlow?: (name: string) => void;
}

/**
 * Applies the pending migrations to the database of `url` and returns their names. `url` must log in as the owner of
 * the database. Throws if a migration fails, which is then rolled back, or if one was edited after it ran. Throws
 * {@link NewerDatabaseError}, and changes nothing, if the database has a migration that this program does not have.
 */
export async function migrate(
  url: string,
  sources: readonly MigrationSource[],
  { beforeFirst, onSlow }: MigrateOptions = {},
): Promise<string[]> {
  const migrations = (await Promise.all(sources.map(readMigrations))).flat();
  const client = new pg.Client({ connectionString: url, application_name: 'greenroom migrate' });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const applied = await readHistory(client, beforeFirst);
    requireKnown(applied, migrations, sources);
    const pending = migrations.filter((migration) => !isApplied(migration, applied));
    for (const migration of pending) {
      const timer = setTimeout(() => onSlow?.(nameOf(migration)), SLOW_MS);
      await apply(client, migration).finally(() => clearTimeout(timer));
    }
    return pending.map(nameOf);
  } finally {
    await client.end();
  }
}

function nameOf({ service, version }: Pick<Migration, 'service' | 'version'>): string {
  return `${service}/${version}`;
}

async function readMigrations({
  service,
  directory,
  otherChecksums = {},
}: MigrationSource): Promise<Migration[]> {
  const versions = await listVersions(directory);
  return Promise.all(
    versions.map(async (version) => {
      const sql = await readFile(new URL(`${version}.sql`, directory), 'utf8');
      const checksum = createHash('sha256').update(sql).digest('hex');
      return { service, version, sql, checksum, accepted: [checksum, ...(otherChecksums[version] ?? [])] };
    }),
  );
}

/** Returns the file names without extension, in order. */
async function listVersions(directory: URL): Promise<string[]> {
  const files = (await readdir(directory)).filter((file) => file.endsWith('.sql')).sort();
  return files.map((file) => file.replace(/\.sql$/, ''));
}

async function readHistory(
  client: pg.Client,
  beforeFirst: MigrateOptions['beforeFirst'],
): Promise<Map<string, string>> {
  const { rows } = await client.query(`select to_regclass('greenroom.migrations') is not null as exists`);
  if (!rows[0].exists) {
    await beforeFirst?.();
    await client.query(HISTORY);
  }
  const history = await client.query('select service, version, checksum from greenroom.migrations');
  return new Map(history.rows.map((row) => [`${row.service}/${row.version}`, row.checksum]));
}

/** Services that are not migrated here may have any version. */
function requireKnown(
  applied: ReadonlyMap<string, string>,
  migrations: readonly Migration[],
  sources: readonly MigrationSource[],
): void {
  const known = new Set(migrations.map(nameOf));
  const isOwnService = (name: string) => sources.some(({ service }) => name.startsWith(`${service}/`));
  const unknown = [...applied.keys()].filter((name) => isOwnService(name) && !known.has(name)).sort();
  if (unknown.length > 0) throw new NewerDatabaseError(unknown);
}

function isApplied(migration: Migration, applied: Map<string, string>): boolean {
  const known = applied.get(nameOf(migration));
  if (known === undefined) return false;
  if (!migration.accepted.includes(known))
    throw new Error(
      `migration ${nameOf(migration)} was changed after it was applied; restore its original content`,
    );
  return true;
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  const { service, version, sql, checksum } = migration;
  await client.query('begin');
  try {
    await client.query(sql);
    await client.query('insert into greenroom.migrations (service, version, checksum) values ($1, $2, $3)', [
      service,
      version,
      checksum,
    ]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw new Error(`migration ${nameOf(migration)} failed: ${(error as Error).message}`, { cause: error });
  }
}

/** Returns the last migration of each service, by the name of the service. */
export async function lastMigrations(sources: readonly MigrationSource[]): Promise<Record<string, string>> {
  const last = sources.map(async ({ service, directory }) => [
    service,
    (await listVersions(directory)).at(-1),
  ]);
  return Object.fromEntries(await Promise.all(last));
}
