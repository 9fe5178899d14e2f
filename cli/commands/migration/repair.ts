/** Changes the history of migrations without running anything. */
import { repairHistory } from '@greenroom/project';
import { withInstanceDatabase } from '../../instance-database.ts';
import { readProject } from '../../read-project.ts';
import type { ProjectOptions } from '../../settings.ts';

/** Records versions as applied or reverted; returns the lines to print. */
export async function repair(
  { status, versions }: { status: 'applied' | 'reverted'; versions: readonly string[] },
  options: ProjectOptions,
): Promise<string[]> {
  const { config, toRun } = await readProject(options);
  const { project } = toRun;
  await withInstanceDatabase({ config, project: toRun }, (url) =>
    repairHistory({ url, project, status, versions }),
  );
  return [`recorded as ${status}: ${versions.join(', ')}`];
}
