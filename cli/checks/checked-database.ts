/** The database that a command checks, without changing it. */
import { ProjectError } from '@greenroom/project';
import { type Config, loadConfig } from '@greenroom/server/settings';
import { hasDatabase } from '../instance-database.ts';
import { projectToRun } from '../project.ts';
import { explained, type ProjectOptions, readSettings } from '../settings.ts';
import { withTargetDatabase } from '../target-database.ts';

/** Runs `work` with the URL of `--db-url`, or with that of the instance if the option is missing. */
export async function withCheckedDatabase<T>(
  databaseUrl: string | undefined,
  options: ProjectOptions,
  work: (url: string, config: Config) => Promise<T>,
): Promise<T> {
  const settings = await readSettings(options);
  const config = await explained(settings, () => loadConfig(settings.source));
  if (databaseUrl === undefined && !hasDatabase(config))
    throw new ProjectError('the project has no database yet. Create it: greenroom start');
  const target = { config, toRun: projectToRun(settings) };
  return withTargetDatabase(target, databaseUrl, (url) => work(url, config));
}
