/** The history of a project's database, in the tables of the Supabase CLI: `supabase_migrations`. */
import type { Session } from '@greenroom/postgres';

/** A version in the history. */
export interface RecordedVersion {
  version: string;
  /** Undefined in histories of early versions of the CLI, which recorded only the version. */
  name: string | undefined;
  /** Id of the transaction that wrote the record: another one if the record was changed or replaced. */
  writtenBy: string;
}

/** A migration in the history. */
export interface AppliedMigration extends RecordedVersion {
  statements: readonly string[] | undefined;
}

/** A migration to record. */
export interface MigrationRecord {
  version: string;
  name: string;
  statements: readonly string[];
}

/** `to_jsonb`, because histories of early versions of the CLI lack two of the columns. */
const READ = `
  select version, written_by, entry ->> 'name' as name, entry -> 'statements' as statements
  from (
    select version, xmin::text as written_by, to_jsonb(m) as entry from supabase_migrations.schema_migrations m
    where $1::text[] is null or version = any ($1)
  ) history
  order by version collate "C"`;

const READ_VERSIONS = `
  select version, name, xmin::text as written_by from supabase_migrations.schema_migrations order by version collate "C"`;

/** Applied in one transaction. A table that others use is not waited for. */
const CREATE: readonly string[] = [
  `select set_config('lock_timeout', '4s', true)`,
  'create schema if not exists supabase_migrations',
  'create table if not exists supabase_migrations.schema_migrations (version text primary key)',
  'alter table supabase_migrations.schema_migrations add column if not exists statements text[]',
  'alter table supabase_migrations.schema_migrations add column if not exists name text',
  'alter table supabase_migrations.schema_migrations enable row level security',
  'create table if not exists supabase_migrations.seed_files (path text primary key, hash text not null)',
  'alter table supabase_migrations.seed_files enable row level security',
];

/** Creates the tables of the history where they are missing. */
export async function ensureHistory(session: Session): Promise<void> {
  const [[found] = []] = await session.batch([
    {
      text: `select count(*)::int as columns from pg_attribute
        where attrelid = to_regclass('supabase_migrations.schema_migrations') and attname in ('version', 'statements', 'name')
          and to_regclass('supabase_migrations.seed_files') is not null`,
    },
  ]);
  if (found?.columns !== 3) await session.batch(CREATE.map((text) => ({ text })));
}

/** Returns the applied versions without their statements, which may be megabytes. The tables of the history must exist. */
export async function readVersions(session: Session): Promise<RecordedVersion[]> {
  const [rows = []] = await session.batch([{ text: READ_VERSIONS }]);
  return rows.map(versionOf);
}

function versionOf(row: Record<string, unknown>): RecordedVersion {
  return {
    version: String(row.version),
    name: (row.name as string | null) ?? undefined,
    writtenBy: String(row.written_by),
  };
}

/**
 * Returns the applied migrations by version; none if the database has no history.
 * @param versions default: all
 */
export async function readHistory(
  session: Session,
  versions?: readonly string[],
): Promise<AppliedMigration[]> {
  const [[found] = []] = await session.batch([
    { text: `select to_regclass('supabase_migrations.schema_migrations') is not null as exists` },
  ]);
  if (!found?.exists) return [];
  const [rows = []] = await session.batch([{ text: READ, values: [versions ?? null] }]);
  return rows.map((row) => ({
    ...versionOf(row),
    statements: (row.statements as string[] | null) ?? undefined,
  }));
}

/**
 * Returns the statement that records a migration. It returns `written_by`, see {@link RecordedVersion}, and fails if the
 * version is recorded already.
 */
export function insertRecord(record: MigrationRecord) {
  const { text, values } = recordInsert(record);
  return { text: `${text} returning xmin::text as written_by`, values };
}

function recordInsert({ version, name, statements }: MigrationRecord) {
  return {
    text: `insert into supabase_migrations.schema_migrations (version, name, statements)
      select $1::text, $2::text, array(select jsonb_array_elements_text($3::jsonb))`,
    values: [version, name, JSON.stringify(statements)],
  };
}

/** Returns the statement that records a migration, or replaces its record. */
export function upsertRecord(record: MigrationRecord) {
  const { text, values } = recordInsert(record);
  const conflict =
    'on conflict (version) do update set name = excluded.name, statements = excluded.statements';
  return { text: `${text} ${conflict}`, values };
}

/** Returns the statement that removes versions from the history. */
export function deleteRecords(versions: readonly string[]) {
  return {
    text: 'delete from supabase_migrations.schema_migrations where version = any ($1::text[])',
    values: [versions],
  };
}
