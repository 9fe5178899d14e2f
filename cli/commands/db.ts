/** `greenroom db reset | seed`: replaces the database of a project by a new one, or runs its seeds again. */
import { parseArgs } from 'node:util';
import { type ProjectToRun, requireSeeds, resetVersion, seedProject } from '@greenroom/project';
import { requireEmbeddedDatabase } from '@greenroom/server';
import { withInstanceDatabase } from '../instance-database.ts';
import { integerOption } from '../integer-option.ts';
import { requireProjectName } from '../prompt.ts';
import { readProject } from '../read-project.ts';
import { knownPublicUrl, resetProject } from '../reset-project.ts';
import type { ProjectOptions } from '../settings.ts';

/** Runs `db reset` or `db seed`. */
export async function db(args: string[], options: ProjectOptions): Promise<number> {
  const [action = '', ...rest] = args;
  if (action === 'reset') return reset(rest, options);
  if (action === 'seed') return seed(rest, options);
  throw new Error(`unknown command "db ${action}". Use db reset or db seed.`);
}

/** Runs the seeds in the existing database, whether the instance runs or not. */
async function seed(args: string[], options: ProjectOptions): Promise<number> {
  const { values } = parseArgs({ args, options: { 'sql-paths': { type: 'string', multiple: true } } });
  const { config, toRun } = await readProject(options);
  const seeded = await withSeeds(toRun, { hasNoSeed: false, sqlPaths: values['sql-paths'] });
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

async function reset(args: string[], options: ProjectOptions): Promise<number> {
  const { version, last, ...seeding } = resetOptions(args);
  const { config, toRun } = await readProject(options);
  requireEmbeddedDatabase(config);
  const lastVersion = await resetVersion(toRun.project, { version, last });
  const seeded = await withSeeds(toRun, seeding);
  const publicUrl = await knownPublicUrl(config);
  if (publicUrl !== undefined) await requireProjectName(toRun.name, publicUrl);
  await resetProject({ config, toRun: seeded, lastVersion });
  return 0;
}

function resetOptions(args: string[]): ResetOptions {
  const { values } = parseArgs({
    args,
    options: {
      version: { type: 'string' },
      last: { type: 'string' },
      'no-seed': { type: 'boolean', default: false },
      'sql-paths': { type: 'string', multiple: true },
    },
  });
  const { version, 'no-seed': hasNoSeed, 'sql-paths': sqlPaths } = values;
  if (version !== undefined && values.last !== undefined) throw new Error('use either --version or --last.');
  if (hasNoSeed && sqlPaths !== undefined) throw new Error('use either --no-seed or --sql-paths.');
  return { version, last: integerOption('--last', values.last, 0), hasNoSeed, sqlPaths };
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
