/** Compares the migrations of a project with the history of its database. */
import type { AppliedMigration, RecordedVersion } from '../database/history.ts';
import { ProjectError } from '../project-error.ts';
import type { MigrationFile } from './migration-files.ts';

/** An applied migration whose file is still there. */
export interface AppliedFile {
  file: MigrationFile;
  record: RecordedVersion;
}

/** The migrations to apply, in their order. */
interface MigrationPlan {
  pending: readonly MigrationFile[];
  applied: readonly AppliedFile[];
}

/** Options of {@link planMigrations}. */
interface PlanOptions {
  /** Whether migrations may be applied although later ones were applied before. */
  includesEarlier?: boolean;
  /** The commands that mend a problem, for messages. Default: those for the database of the instance. */
  commands?: typeof INSTANCE_COMMANDS;
}

const INSTANCE_COMMANDS = {
  revert: (versions: string) => `greenroom migration repair --status reverted ${versions}`,
  includeEarlier: 'greenroom migration up --include-all',
};

/**
 * Decides which migrations are applied. Throws {@link ProjectError}, with the command that mends it, if the file of an
 * applied migration is missing, or if a new migration stands in front of an applied one.
 */
export function planMigrations(
  files: readonly MigrationFile[],
  history: readonly RecordedVersion[],
  { includesEarlier = false, commands = INSTANCE_COMMANDS }: PlanOptions = {},
): MigrationPlan {
  const records = new Map(history.map((record) => [record.version, record]));
  const versions = new Set(files.map(({ version }) => version));
  const missing = history.filter(({ version }) => !versions.has(version));
  if (missing.length > 0) throw missingFiles(missing, commands);
  const pending = files.filter(({ version }) => !records.has(version));
  const lastApplied = files.findLastIndex(({ version }) => records.has(version));
  const earlier = pending.filter((file) => files.indexOf(file) < lastApplied);
  if (earlier.length > 0 && !includesEarlier)
    throw earlierFiles(earlier, { lastApplied: files[lastApplied]?.fileName ?? '', commands });
  const applied = files.flatMap((file) => {
    const record = records.get(file.version);
    return record ? [{ file, record }] : [];
  });
  return { pending, applied };
}

/**
 * Whether the text of an applied migration differs from the recorded statements. Space and semicolons do not count, because
 * versions of the Supabase CLI split files differently; of the rest, only the keys of dumps are missing in statements. A
 * history without statements never differs.
 */
export function isEdited(sql: string, { statements }: Pick<AppliedMigration, 'statements'>): boolean {
  if (statements === undefined) return false;
  return essenceOf(sql) !== essenceOf(statements.join(''));
}

/** Contains the mark at the beginning of a file (U+FEFF), which counts as space. */
const SPACE_OR_SEMICOLON = /[\s;]+/g;
/** The lines of pg_dump that are not part of a statement. */
const RESTRICTION = /^\\(?:un)?restrict\s.*$/gm;

function essenceOf(sql: string): string {
  return sql.replace(RESTRICTION, '').replace(SPACE_OR_SEMICOLON, '');
}

type Commands = typeof INSTANCE_COMMANDS;

function missingFiles(missing: readonly RecordedVersion[], { revert }: Commands): ProjectError {
  const versions = missing.map(({ version }) => version).join(' ');
  const names = missing.map(({ version, name }) => (name ? `${version}_${name}.sql` : version)).join(', ');
  return new ProjectError(
    `the database has migrations whose files are missing from supabase/migrations: ${names}.\n` +
      `Restore the files, or remove them from the history: ${revert(versions)}`,
  );
}

function earlierFiles(
  earlier: readonly MigrationFile[],
  { lastApplied, commands }: { lastApplied: string; commands: Commands },
): ProjectError {
  const names = earlier.map(({ fileName }) => fileName).join(', ');
  return new ProjectError(
    `new migrations stand in front of ${lastApplied}, which is applied already: ${names}.\n` +
      `Give them later versions, or apply them now: ${commands.includeEarlier}`,
  );
}
