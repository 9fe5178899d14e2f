/** Brings a database up to the state of its project: migrations, then seeds if the database is new. */
import type { Session } from '@greenroom/postgres';
import type { DeclaredBucket } from './config-file/bucket-keys.ts';
import { readHistory } from './database/history.ts';
import { RESET_SESSION, withProjectSession } from './database/project-session.ts';
import type { Project } from './find-project.ts';
import { applyMigration, readMigration } from './migrations/apply.ts';
import { listMigrations } from './migrations/migration-files.ts';
import { isEdited, planMigrations } from './migrations/plan.ts';
import { applySeeds, areSeedsDue } from './seeds/apply-seeds.ts';
import { DEFAULT_SEED_PATHS, findSeeds } from './seeds/find-seeds.ts';

/** A project, and the values of its config.toml about its database. */
export interface ProjectToRun {
  project: Project;
  /** `project_id` of its config.toml, or the name of its folder. */
  name: string;
  /** `db.migrations.enabled`. Default: true. */
  appliesMigrations?: boolean;
  /** Patterns of seed files, relative to `supabase/`. Default: `./seed.sql`. An empty list seeds nothing. */
  seedPaths?: readonly string[];
  /** Buckets that the project declares. Default: none. */
  buckets?: readonly DeclaredBucket[];
}

/** Options of {@link setUpProject}. */
export interface ProjectSetup extends Omit<ProjectToRun, 'name'> {
  /** Connection URL of the owner of the database. The migrations of the platform must be applied. */
  url: string;
  /** Whether migrations may be applied although later ones were applied before. Default: false. */
  includesEarlier?: boolean;
  /** Receives lines for the user: files that were applied or skipped, and warnings. */
  onProgress: (line: string) => void;
}

/**
 * Applies the pending migrations of a project, and the seeds of a new database, while no other node does. Resolves with
 * the number of applied migrations. Throws `ProjectError` if files and history do not fit together, and `SqlFileError` for
 * a statement that fails: migrations in front of it stay applied.
 */
export async function setUpProject(options: ProjectSetup): Promise<number> {
  const { onProgress } = options;
  return withProjectSession(options, async (session) => {
    const { appliesMigrations = true } = options;
    const applied = appliesMigrations ? await applyPending(session, options) : 0;
    if (applied > 0) onProgress(`applied ${applied} migration${applied > 1 ? 's' : ''} of the project`);
    if (await areSeedsDue(session)) await seed(session, options);
    return applied;
  });
}

async function applyPending(session: Session, options: ProjectSetup): Promise<number> {
  const { project, includesEarlier = false, onProgress } = options;
  const { files, notes } = await listMigrations(project);
  for (const note of notes) onProgress(note);
  const { pending, applied } = planMigrations(files, await readHistory(session), { includesEarlier });
  for (const { file, record } of applied) {
    if (!isEdited(await readMigration(file), record)) continue;
    onProgress(
      `warning: ${file.fileName} was edited after it was applied; the database keeps the former content. ` +
        `Apply the new content to a new database: greenroom db reset. ` +
        `Or record that it is applied: greenroom migration repair --status applied ${file.version}`,
    );
  }
  for (const file of pending) {
    onProgress(`applying ${file.fileName}`);
    await applyMigration(session, file);
  }
  // A migration may have changed the role and the settings of the session.
  if (pending.length > 0) await session.batch(RESET_SESSION);
  return pending.length;
}

async function seed(session: Session, options: ProjectSetup): Promise<void> {
  const { project, seedPaths = DEFAULT_SEED_PATHS, onProgress } = options;
  const { files, unmatched } = await findSeeds(project, seedPaths);
  for (const pattern of unmatched) {
    if (!DEFAULT_SEED_PATHS.includes(pattern)) onProgress(`warning: no seed file matches ${pattern}`);
  }
  for (const { path } of files) onProgress(`seeding from ${path}`);
  await applySeeds(session, files);
}
