/** Brings a database up to the state of its project: migrations, then seeds if the database is new. */
import type { Session } from '@greenroom/postgres';
import type { DeclaredBucket } from './config-file/bucket-keys.ts';
import type { FunctionsKeys } from './config-file/function-keys.ts';
import { recordProject } from './database/first-project.ts';
import { readVersions } from './database/history.ts';
import { exposeNewTables } from './database/new-tables.ts';
import { RESET_SESSION, withProjectSession } from './database/project-session.ts';
import { createQueueApi } from './database/queue-api.ts';
import { warnOfOlderServer } from './database/server-version.ts';
import { storeSecrets } from './database/vault.ts';
import { enableWebhooks } from './database/webhooks.ts';
import type { Project } from './find-project.ts';
import { applyMigration, readMigration } from './migrations/apply.ts';
import { findEdited } from './migrations/find-edited.ts';
import { readLastVersion, splitHeld, writeLastVersion } from './migrations/held.ts';
import { listMigrations, type MigrationFile } from './migrations/migration-files.ts';
import { planMigrations } from './migrations/plan.ts';
import { addVerified, type VerifiedFile } from './migrations/verified.ts';
import { applySeeds, areSeedsDue } from './seeds/apply-seeds.ts';
import { DEFAULT_SEED_PATHS, findSeeds, requireSeeds } from './seeds/find-seeds.ts';
import type { SqlFile } from './sql/sql-file.ts';

/** A project, and the values of its config.toml about its database. */
export interface ProjectToRun {
  project: Project;
  /** `project_id` of its config.toml, or the name of its folder. */
  name: string;
  /** `db.migrations.enabled`. Default: true. */
  appliesMigrations?: boolean;
  /** Patterns of seed files, relative to `supabase/`. Default: `./seed.sql`. An empty list seeds nothing. */
  seedPaths?: readonly string[];
  /** `api.auto_expose_new_tables`. Default: the rights on new objects stay as they are. */
  exposesNewTables?: boolean | undefined;
  /** Whether `api.schemas` contains the functions for clients of queues. Default: false. */
  exposesQueues?: boolean | undefined;
  /** `db.major_version`. Default: the version of the server. */
  majorVersion?: number | undefined;
  /** `experimental.webhooks.enabled`. Default: the database stays as it is. */
  webhooks?: true | undefined;
  /** Secrets of `db.vault` by name. Default: none. */
  secrets?: ReadonlyMap<string, string>;
  /** Buckets that the project declares. Default: none. */
  buckets?: readonly DeclaredBucket[];
  /** What config.toml says about functions. Default: nothing. */
  functions?: FunctionsKeys;
  /**
   * Whether a new migration without a statement, and those after it, are left for later: in development, its author is
   * still writing it. Default: false.
   */
  waitsForContent?: boolean;
  /** Whether its author develops it now (`greenroom dev`), so that its files have priority. Default: false. */
  isInDevelopment?: boolean;
}

/** Returns the absolute paths of the seed files, in the order in which they run. */
export async function findSeedFiles({
  project,
  seedPaths = DEFAULT_SEED_PATHS,
}: Pick<ProjectToRun, 'project' | 'seedPaths'>): Promise<string[]> {
  const { files } = await findSeeds(project, seedPaths);
  return files.map(({ location }) => location);
}

/** Options of {@link setUpProject}. */
export interface ProjectSetup extends Omit<ProjectToRun, 'name'> {
  /** Connection URL of the owner of the database. The migrations of the platform must be applied. */
  url: string;
  /** Whether migrations may be applied although later ones were applied before. Default: false. */
  includesEarlier?: boolean;
  /**
   * Version of the last migration to apply; an empty text: none. Later calls hold back later migrations, too. Default: that
   * of the call that gave one, or all migrations.
   */
  lastVersion?: string | undefined;
  /** Whether migrations that are held back are applied. Default: false. */
  includesHeld?: boolean;
  /** Receives lines for the user: files that are applied, and notices of the server. */
  onProgress: (line: string) => void;
  /**
   * Receives lines about files that each call finds again: those that are skipped, held back or edited. Default:
   * `onProgress`.
   */
  onFinding?: (line: string) => void;
}

/**
 * Applies the pending migrations of a project, and the seeds of a new database, while no other node does. Resolves with
 * the number of applied migrations. Throws `ProjectError` if files and history do not fit together, and `SqlFileError` for
 * a statement that fails: migrations in front of it stay applied.
 */
export async function setUpProject(options: ProjectSetup): Promise<number> {
  const { onProgress, onFinding = onProgress, exposesQueues } = options;
  return withProjectSession(options, async (session) => {
    const { appliesMigrations = true, lastVersion, includesHeld = false } = options;
    if (await recordProject(session)) await noteOmittedSeeds(options);
    if (lastVersion !== undefined) await writeLastVersion(session, lastVersion);
    await warnOfOlderServer(session, options);
    await exposeNewTables(session, options.exposesNewTables);
    await enableWebhooks(session, options);
    await storeSecrets(session, options);
    const applied = appliesMigrations ? await applyPending(session, options) : 0;
    if (includesHeld) await writeLastVersion(session, undefined);
    await createQueueApi(session, { exposesQueues, onFinding });
    if (applied > 0) onProgress(`applied ${applied} migration${applied > 1 ? 's' : ''} of the project`);
    if (await areSeedsDue(session)) await seed(session, options);
    return applied;
  });
}

async function noteOmittedSeeds({ project, seedPaths = DEFAULT_SEED_PATHS, onProgress }: ProjectSetup) {
  const { files } = await findSeeds(project, seedPaths);
  if (files.length === 0) return;
  onProgress(
    'no seeds are run, because the database was in use before it had a project. Run them: greenroom db seed',
  );
}

async function applyPending(session: Session, options: ProjectSetup): Promise<number> {
  const { project, includesEarlier = false, includesHeld = false, onProgress } = options;
  const { waitsForContent = false, onFinding = onProgress } = options;
  const { files, notes } = await listMigrations(project);
  for (const note of notes) onFinding(note);
  const { pending, applied } = planMigrations(files, await readVersions(session), { includesEarlier });
  for (const file of await findEdited(session, applied)) onFinding(editedWarning(file));
  const lastVersion = includesHeld ? undefined : await readLastVersion(session);
  const { due, held } = splitHeld(pending, files, lastVersion);
  const verified = await applyAll(session, due, { waitsForContent, onProgress, onFinding });
  // A migration may have changed the role and the settings of the session.
  if (verified.length > 0) await session.batch([...RESET_SESSION, addVerified(verified)]);
  if (held.length > 0) onFinding(heldNote(held));
  return verified.length;
}

/** Applies migrations in their order, and returns them. */
async function applyAll(
  session: Session,
  files: readonly MigrationFile[],
  { waitsForContent, onProgress, onFinding }: Required<Applying>,
): Promise<VerifiedFile[]> {
  const applied: VerifiedFile[] = [];
  for (const file of files) {
    if (waitsForContent && !hasStatement(await readMigration(file))) {
      onFinding(`${file.fileName} has no statement yet; it is applied when it has`);
      break;
    }
    onProgress(`applying ${file.fileName}`);
    applied.push(await applyMigration(session, file));
  }
  return applied;
}

type Applying = Pick<ProjectSetup, 'waitsForContent' | 'onProgress' | 'onFinding'>;

/** Whether a file has anything but comments. */
function hasStatement({ statements }: SqlFile): boolean {
  return statements.some(({ codeOffset, text }) => codeOffset < text.length);
}

function editedWarning({ fileName, version }: MigrationFile): string {
  return (
    `warning: ${fileName} was edited after it was applied; the database keeps the former content. ` +
    `Apply the new content to a new database: greenroom db reset. ` +
    `Or record that it is applied: greenroom migration repair --status applied ${version}`
  );
}

function heldNote(held: readonly MigrationFile[]): string {
  const names = held.map(({ fileName }) => fileName).join(', ');
  return `not applied, because the database was reset or restored to an earlier version: ${names}. Apply: greenroom migration up`;
}

/**
 * Runs the seeds of a project, also if they have run before. Throws `ProjectError` without seed files, and `SqlFileError`
 * for a statement that fails: no seed is kept then.
 */
export async function seedProject(options: Omit<ProjectSetup, 'includesEarlier'>): Promise<void> {
  const { project, seedPaths = DEFAULT_SEED_PATHS } = options;
  await requireSeeds(project, seedPaths);
  await withProjectSession(options, (session) => seed(session, options));
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
