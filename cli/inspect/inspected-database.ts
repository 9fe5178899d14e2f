/** The database that reports are about. */
import { ProjectError } from '@greenroom/project';
import { loadConfig } from '@greenroom/server/settings';
import { hasDatabase } from '../instance-database.ts';
import { projectToRun } from '../project.ts';
import { explained, type Settings } from '../settings.ts';
import { withTargetDatabase } from '../target-database.ts';

/**
 * Runs `work` with the URL of the database of `--db-url`, or of the instance.
 * @throws ProjectError if the instance was never started, because a new database has nothing to inspect
 */
export async function withInspectedDatabase<T>(
  settings: Settings,
  databaseUrl: string | undefined,
  work: (url: string) => Promise<T>,
): Promise<T> {
  const config = await explained(settings, () => loadConfig(settings.source));
  if (databaseUrl === undefined && !hasDatabase(config))
    throw new ProjectError('the project has no database yet. Create it: greenroom start');
  return withTargetDatabase({ config, toRun: projectToRun(settings) }, databaseUrl, work);
}
