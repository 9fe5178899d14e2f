/** Creates and lists the functions of a project. */
import { relative } from 'node:path';
import { createFunction, type FunctionAccess, findFunctions } from '@greenroom/project';
import { readProject } from '../../read-project.ts';
import type { ProjectOptions } from '../../settings.ts';
import { tableLines } from '../../table-lines.ts';

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

/** Returns a line for each function, or one JSON text. */
export async function listFunctions(format: 'pretty' | 'json', options: ProjectOptions): Promise<string[]> {
  const { project, functions } = (await readProject(options)).toRun;
  const found = await findFunctions(project, functions?.declared);
  const rows = found.map(({ name, verifiesJwt, entry }) => ({
    name,
    verify_jwt: verifiesJwt,
    entrypoint: relative(project.folder, entry),
  }));
  if (format === 'json') return [JSON.stringify(rows, undefined, 2)];
  if (rows.length === 0) return ['no functions. Create one: greenroom functions new <name>'];
  return tableLines([
    ['NAME', 'TOKEN', 'FILE'],
    ...rows.map((row) => [row.name, row.verify_jwt ? 'required' : 'not required', row.entrypoint]),
  ]);
}
