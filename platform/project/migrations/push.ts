/** Applies the migrations of a project to another database, e.g. that of a hosted project. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openSession, type Session } from '@greenroom/postgres';
import { readHistory } from '../database/history.ts';
import { RESET_SESSION, withProjectSession } from '../database/project-session.ts';
import { storeSecrets } from '../database/vault.ts';
import type { Project } from '../find-project.ts';
import { ProjectError } from '../project-error.ts';
import { runSeeds } from '../seeds/apply-seeds.ts';
import { findSeeds, type SeedLocation } from '../seeds/find-seeds.ts';
import { failedIndexOf, readSqlFile, requestOf, statementError } from '../sql/sql-file.ts';
import { applyMigration } from './apply.ts';
import { listMigrations, type MigrationFile } from './migration-files.ts';
import { planMigrations } from './plan.ts';

/** Options of {@link planPush}. */
interface Push {
  /** Connection URL of the owner of the database. */
  url: string;
  project: Project;
  /** Whether migrations may be applied although later ones were applied before. */
  includesEarlier: boolean;
  /** Whether `supabase/roles.sql` runs first. */
  includesRoles: boolean;
  /** Patterns of seed files that run after the migrations, if they have not run before. */
  seedPaths: readonly string[];
}

/** The files to apply. */
export interface PushPlan {
  rolesFile: string | undefined;
  migrations: readonly MigrationFile[];
  seeds: readonly SeedLocation[];
  /** One line for each file that is left out. */
  notes: readonly string[];
}

/** Options of {@link push}. */
export interface PushOptions extends Push {
  /** Secrets of `db.vault` by name, which are stored before the migrations. Undefined stores none. */
  secrets: ReadonlyMap<string, string> | undefined;
  onProgress: (line: string) => void;
}

const ROLES_FILE = 'supabase/roles.sql';

const COMMANDS = {
  revert: (versions: string) => `greenroom migration repair --status reverted ${versions} --db-url <url>`,
  includeEarlier: 'greenroom db push --include-all --db-url <url>',
};

/**
 * Returns the files that {@link push} applies, and changes nothing. Throws {@link ProjectError} if files and history do not
 * fit together, or if `supabase/roles.sql` is missing although it is to run.
 */
export async function planPush(options: Push): Promise<PushPlan> {
  const session = await openSession({ url: options.url, applicationName: 'greenroom push' });
  return planWith(session, options).finally(() => session.close());
}

/**
 * Applies the files while no other command does: each migration with its record in one transaction, and all seeds in one.
 * Returns the number of migrations. Throws `SqlFileError` for a statement that fails: files before it stay applied.
 */
export async function push(options: PushOptions): Promise<number> {
  const { url, onProgress } = options;
  return withProjectSession({ url, onProgress }, async (session) => {
    const { rolesFile, migrations, seeds } = await planWith(session, options);
    if (rolesFile !== undefined) await applyRoles(session, rolesFile, onProgress);
    await storeSecrets(session, { ...(options.secrets && { secrets: options.secrets }), onProgress });
    for (const file of migrations) {
      onProgress(`applying ${file.fileName}`);
      await applyMigration(session, file);
    }
    await session.batch(RESET_SESSION);
    for (const { path } of seeds) onProgress(`seeding from ${path}`);
    await runSeeds(session, seeds);
    return migrations.length;
  });
}

async function planWith(session: Session, options: Push): Promise<PushPlan> {
  const { project, includesEarlier, includesRoles, seedPaths } = options;
  const { files, notes } = await listMigrations(project);
  const { pending } = planMigrations(files, await readHistory(session), {
    includesEarlier,
    commands: COMMANDS,
  });
  const { files: seeds, unmatched } = await findSeeds(project, seedPaths);
  const dueSeeds = await seedsOf(session, seeds);
  return {
    rolesFile: includesRoles ? requireRolesFile(project) : undefined,
    migrations: pending,
    seeds: dueSeeds.due,
    notes: [...notes, ...unmatched.map((pattern) => `no seed file matches ${pattern}`), ...dueSeeds.notes],
  };
}

function requireRolesFile({ folder }: Project): string {
  const location = join(folder, ROLES_FILE);
  if (existsSync(location)) return location;
  throw new ProjectError(`${ROLES_FILE} does not exist. Create it, or leave out --include-roles.`);
}

/** Splits seeds into those that have not run yet, and those that have changed since. */
async function seedsOf(
  session: Session,
  seeds: readonly SeedLocation[],
): Promise<{ due: SeedLocation[]; notes: string[] }> {
  const hashes = await readSeedHashes(session);
  const due: SeedLocation[] = [];
  const notes: string[] = [];
  for (const seed of seeds) {
    const hash = hashes.get(seed.path);
    if (hash === undefined) due.push(seed);
    else if (hash !== (await hashOf(seed)))
      notes.push(`${seed.path} has changed since it ran; it does not run again`);
  }
  return { due, notes };
}

async function readSeedHashes(session: Session): Promise<ReadonlyMap<string, string>> {
  const [[found] = []] = await session.batch([
    { text: `select to_regclass('supabase_migrations.seed_files') is not null as exists` },
  ]);
  if (!found?.exists) return new Map();
  const [rows = []] = await session.batch([
    { text: 'select path, hash from supabase_migrations.seed_files' },
  ]);
  return new Map(rows.map(({ path, hash }) => [String(path), String(hash)]));
}

async function hashOf({ location }: SeedLocation): Promise<string> {
  const text = (await readFile(location, 'utf8')).replace(/^\uFEFF/, '');
  return createHash('sha256').update(text).digest('hex');
}

async function applyRoles(
  session: Session,
  location: string,
  onProgress: (line: string) => void,
): Promise<void> {
  const file = await readSqlFile(location, ROLES_FILE);
  onProgress(`running ${ROLES_FILE}`);
  try {
    await session.batch([...RESET_SESSION, ...file.statements.map(requestOf)]);
  } catch (error) {
    const index = failedIndexOf(error);
    if (index === undefined) throw error;
    throw statementError(file, {
      index: index - RESET_SESSION.length,
      error: error as Error,
      advice: ['Nothing was changed.'],
    });
  }
}
