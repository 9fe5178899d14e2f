/** Replaces the database of a project by a new one, or runs its seeds again. */
import { type ProjectToRun, requireSeeds, resetVersion, seedProject } from '@greenroom/project';
import { requireEmbeddedDatabase } from '@greenroom/server';
import { withInstanceDatabase } from '../../instance-database.ts';
import { requireProjectName } from '../../prompt.ts';
import { readProject } from '../../read-project.ts';
import { knownPublicUrl, resetProject } from '../../reset-project.ts';
import type { ProjectOptions } from '../../settings.ts';

/** Runs the seeds in the existing database, whether the instance runs or not. */
export async function seedDatabase(
  sqlPaths: readonly string[] | undefined,
  options: ProjectOptions,
): Promise<number> {
  const { config, toRun } = await readProject(options);
  const seeded = await withSeeds(toRun, { hasNoSeed: false, sqlPaths });
  await withInstanceDatabase({ config, project: toRun }, (url) =>
    seedProject({ url, ...seeded, onProgress: (line) => void process.stdout.write(`${line}\n`) }),
  );
  return 0;
}

/** The options of `db reset`, as in the Supabase CLI. */
interface ResetOptions {
  version: string | undefined;
  last: number | undefined;
  hasNoSeed: boolean;
  /** Replace `db.seed.sql_paths`; undefined keeps it. */
  sqlPaths: readonly string[] | undefined;
}

/** Resets the database. A running instance is paused meanwhile. */
export async function resetDatabaseOf(reset: ResetOptions, options: ProjectOptions): Promise<number> {
  const { version, last, ...seeding } = reset;
  if (version !== undefined && last !== undefined) throw new Error('use either --version or --last.');
  if (seeding.hasNoSeed && seeding.sqlPaths !== undefined)
    throw new Error('use either --no-seed or --sql-paths.');
  const { config, toRun } = await readProject(options);
  requireEmbeddedDatabase(config);
  const lastVersion = await resetVersion(toRun.project, { version, last });
  const seeded = await withSeeds(toRun, seeding);
  const publicUrl = await knownPublicUrl(config);
  if (publicUrl !== undefined) await requireProjectName(toRun.name, publicUrl);
  await resetProject({ config, toRun: seeded, lastVersion });
  return 0;
}

/** Returns the project with the seeds to run. Throws `ProjectError` for a path that matches no file. */
async function withSeeds(
  toRun: ProjectToRun,
  { hasNoSeed, sqlPaths }: Pick<ResetOptions, 'hasNoSeed' | 'sqlPaths'>,
): Promise<ProjectToRun> {
  if (hasNoSeed) return { ...toRun, seedPaths: [] };
  if (sqlPaths === undefined) return toRun;
  if (sqlPaths.includes(''))
    throw new Error('--sql-paths requires a path or a glob, e.g. --sql-paths seed.sql.');
  await requireSeeds(toRun.project, sqlPaths);
  return { ...toRun, seedPaths: sqlPaths };
}
