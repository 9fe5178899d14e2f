/** `greenroom functions deploy`: bundles functions of the project, and sends them to an instance. */
import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { archiveOf, bundleFunction, sizeOf } from '@greenroom/functions/client';
import { findFunctions, type Project, type ProjectFunction } from '@greenroom/project';
import { requireConfirmation } from '../prompt.ts';
import { readProject } from '../read-project.ts';
import type { ProjectOptions } from '../settings.ts';
import type { InstanceChoice } from './instance-options.ts';
import type { ListedFunction } from './list.ts';
import { type ManagementApi, openManagementApi } from './management-api.ts';

/** Options of {@link deployFunctions}. */
interface DeployOptions {
  /** Default: all functions of the project. */
  names: readonly string[];
  /** Default: as config.toml says. */
  verifiesJwt: boolean | undefined;
  /** Path of the import map of all functions. Default: that of each function. */
  importMap: string | undefined;
  /** Whether deployed functions that the project does not have are deleted. */
  prunes: boolean;
  isConfirmed: boolean;
  instance: InstanceChoice;
}

/** Deploys functions one after the other, and prints a line for each. Returns the exit code. */
export async function deployFunctions(options: DeployOptions, project: ProjectOptions): Promise<number> {
  const { toRun } = await readProject(project);
  const all = await findFunctions(toRun.project, toRun.functions?.declared);
  const chosen = await withOverrides(chooseFunctions(all, options.names), options);
  const api = await openManagementApi(options.instance, project);
  let code = 0;
  for (const source of chosen) {
    await deploy(source, toRun.project, api).catch((error: Error) => {
      code = 1;
      process.stderr.write(`error: ${source.name} was not deployed. ${error.message}\n`);
    });
  }
  if (options.prunes) await prune(all, api, options);
  if (code === 0) await explainPrecedence(chosen, api);
  return code;
}

/** Returns the functions with these names; without names all of them. Throws if one is missing. */
function chooseFunctions(
  all: readonly ProjectFunction[],
  names: readonly string[],
): readonly ProjectFunction[] {
  if (all.length === 0)
    throw new Error('the project has no functions. Create one: greenroom functions new <name>');
  if (names.length === 0) return all;
  return [...new Set(names)].map((name) => {
    const found = all.find((other) => other.name === name);
    if (found === undefined) {
      const known = all.map((other) => other.name).join(', ');
      throw new Error(`the project has no enabled function ${JSON.stringify(name)}. It has: ${known}.`);
    }
    return found;
  });
}

async function withOverrides(
  functions: readonly ProjectFunction[],
  { verifiesJwt, importMap }: Pick<DeployOptions, 'verifiesJwt' | 'importMap'>,
): Promise<ProjectFunction[]> {
  const map =
    importMap === undefined
      ? undefined
      : await realpath(resolve(importMap)).catch(() => {
          throw new Error(`--import-map: ${importMap} does not exist.`);
        });
  return functions.map((source) => ({
    ...source,
    verifiesJwt: verifiesJwt ?? source.verifiesJwt,
    importMap: map ?? source.importMap,
  }));
}

async function deploy(source: ProjectFunction, { folder }: Project, api: ManagementApi): Promise<void> {
  const bundle = await bundleFunction(source, folder);
  const { version, changed } = await api.json<{ version: number; changed: boolean }>({
    method: 'POST',
    path: `functions/${source.name}/versions`,
    archive: await archiveOf(bundle),
  });
  const files = `${bundle.files.length} ${bundle.files.length === 1 ? 'file' : 'files'}`;
  process.stdout.write(
    changed
      ? `deployed ${source.name}: version ${version}, ${files}, ${(sizeOf(bundle) / 1000).toFixed(1)} kB\n`
      : `${source.name} is unchanged: version ${version}\n`,
  );
}

async function prune(
  all: readonly ProjectFunction[],
  api: ManagementApi,
  { isConfirmed }: Pick<DeployOptions, 'isConfirmed'>,
): Promise<void> {
  const listed = await api.json<ListedFunction[]>({ method: 'GET', path: 'functions' });
  const gone = listed
    .filter(({ source, name }) => source === 'deployed' && !all.some((other) => other.name === name))
    .map(({ name }) => name);
  if (gone.length === 0) return;
  await requireConfirmation(`Delete ${gone.join(', ')} with all versions from ${api.apiUrl}?`, {
    isConfirmed,
  });
  for (const name of gone) {
    await api.call({ method: 'DELETE', path: `functions/${name}` });
    process.stdout.write(`deleted ${name}\n`);
  }
}

/** An instance may also run the folder of the project: says which of both it serves. */
async function explainPrecedence(deployed: readonly ProjectFunction[], api: ManagementApi): Promise<void> {
  const listed = await api.json<ListedFunction[]>({ method: 'GET', path: 'functions' });
  const inFolder = listed.filter(
    ({ name, source }) => source === 'project' && deployed.some((other) => other.name === name),
  );
  const [first] = inFolder;
  if (first === undefined) return;
  process.stdout.write(
    first.active
      ? 'greenroom dev runs here and serves the files of supabase/functions instead, until it is stopped\n'
      : `this instance no longer serves the files of supabase/functions/${first.name}. To return to them: greenroom functions delete ${first.name}\n`,
  );
}
