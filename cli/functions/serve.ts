/** `greenroom functions serve`: serves functions of the project with other settings, and prints their log. */
import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { findFunctions } from '@greenroom/project';
import { readProject } from '../read-project.ts';
import type { ProjectOptions } from '../settings.ts';
import { readEnvFile } from './env-file.ts';
import { interruptible, printLines } from './logs.ts';
import { openManagementApi } from './management-api.ts';

/** Options of {@link serveFunctions}. */
interface ServeOptions {
  /** Default: all functions of the project. */
  name: string | undefined;
  /** Default: as config.toml says. */
  verifiesJwt: boolean | undefined;
  envFile: string | undefined;
  importMap: string | undefined;
  /** When the inspected function runs; undefined: it has no inspector. */
  inspect: 'run' | 'brk' | 'wait' | undefined;
}

/** Serves until Ctrl-C; then the functions have their own settings again. Returns the exit code. */
export async function serveFunctions(options: ServeOptions, project: ProjectOptions): Promise<number> {
  const { name, verifiesJwt, inspect } = options;
  if (inspect !== undefined && name === undefined)
    throw new Error(
      '--inspect requires the name of a function, e.g. greenroom functions serve hello --inspect',
    );
  const { toRun } = await readProject(project);
  const found = await findFunctions(toRun.project, toRun.functions?.declared);
  const names = name === undefined ? found.map((each) => each.name) : [name];
  if (names.length === 0)
    throw new Error('the project has no functions. Create one: greenroom functions new <name>');
  const json = {
    ...(name !== undefined && { names }),
    ...(verifiesJwt !== undefined && { verify_jwt: verifiesJwt }),
    ...(options.importMap !== undefined && { import_map: await existing(options.importMap) }),
    ...(options.envFile !== undefined && { env: await readVariables(options.envFile) }),
    ...(inspect !== undefined && { inspect }),
  };
  const api = await openManagementApi({ url: undefined, 'secret-key': undefined }, project);
  const interruption = interruptible();
  const response = await api.call({ method: 'POST', path: 'serve', json }, interruption.signal);
  for (const each of names) process.stdout.write(`serving ${api.apiUrl}/functions/v1/${each}\n`);
  const inspector = response.headers.get('greenroom-inspector');
  if (inspector !== null)
    process.stdout.write(`inspector of ${name}: ${inspector}, after its first request\n`);
  process.stdout.write('Ctrl-C ends this; then the functions have their own settings again\n');
  return printLines(response, { format: 'text', interruption });
}

async function existing(path: string): Promise<string> {
  return realpath(resolve(path)).catch(() => {
    throw new Error(`--import-map: ${path} does not exist.`);
  });
}

async function readVariables(path: string): Promise<Record<string, string>> {
  const { variables, skipped } = await readEnvFile(path);
  for (const line of skipped) process.stdout.write(`${line}\n`);
  return Object.fromEntries(variables);
}
