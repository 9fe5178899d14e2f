/** Changes the history of migrations without running anything. */
import { repairHistory } from '@greenroom/project';
import { readProject } from '../../read-project.ts';
import type { ProjectOptions } from '../../settings.ts';
import { withTargetDatabase } from '../../target-database.ts';

/** What to record, and where. */
interface Repair {
  status: 'applied' | 'reverted';
  versions: readonly string[];
  /** Undefined: in the database of the instance. */
  databaseUrl: string | undefined;
}

/** Records versions as applied or reverted; returns the lines to print. */
export async function repair(
  { status, versions, databaseUrl }: Repair,
  options: ProjectOptions,
): Promise<string[]> {
  const { config, toRun } = await readProject(options);
  const { project } = toRun;
  await withTargetDatabase({ config, toRun }, databaseUrl, (url) =>
    repairHistory({ url, project, status, versions }),
  );
  return [`recorded as ${status}: ${versions.join(', ')}`];
}
