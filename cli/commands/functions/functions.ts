/** Creates the functions of a project. */
import { createFunction, type FunctionAccess } from '@greenroom/project';
import { readProject } from '../../read-project.ts';
import type { ProjectOptions } from '../../settings.ts';

/** Creates a function. Returns lines for the user. */
export async function createNew(
  name: string,
  access: FunctionAccess,
  options: ProjectOptions,
): Promise<string[]> {
  const { toRun } = await readProject(options);
  const paths = await createFunction({ project: toRun.project, name, access });
  return paths.map((path) => (path.endsWith('config.toml') ? `changed ${path}` : `created ${path}`));
}
