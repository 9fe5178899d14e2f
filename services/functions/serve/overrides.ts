/** What `greenroom functions serve` changes about functions of the project while it runs. */
import { realpath } from 'node:fs/promises';
import { isAbsolute, relative, sep } from 'node:path';
import { FUNCTION_NAME, type ProjectFunction } from '@greenroom/project';
import { failure } from '../errors.ts';
import type { FunctionsConfig } from '../settings.ts';

/** The changes. */
export interface ServeOverrides {
  /** The functions that they concern; undefined: all of the project. */
  names: readonly string[] | undefined;
  /** Undefined: as config.toml says. */
  verifiesJwt: boolean | undefined;
  /** Absolute path of an import map; undefined: that of each function. */
  importMap: string | undefined;
  /** Variables, which have priority over all others. */
  env: ReadonlyMap<string, string>;
  /** The function that has an inspector; undefined: that of the settings. */
  inspector: Pick<FunctionsConfig['inspector'], 'function' | 'mode'> | undefined;
}

const MODES = ['run', 'brk', 'wait'] as const;

/** Reads the changes from JSON. Rejects with an error of the catalogue that names the wrong value. */
export async function readOverrides(body: unknown, projectFolder: string): Promise<ServeOverrides> {
  const { names, verify_jwt, import_map, env, inspect } = body as Record<string, unknown>;
  const chosen = names === undefined ? undefined : readNames(names);
  const [first, ...others] = chosen ?? [];
  const mode = MODES.find((known) => known === inspect);
  if (inspect !== undefined && mode === undefined) throw refused('inspect must be run, brk or wait');
  if (mode !== undefined && (first === undefined || others.length > 0))
    throw refused('inspect requires the name of one function');
  if (verify_jwt !== undefined && typeof verify_jwt !== 'boolean')
    throw refused('verify_jwt must be true or false');
  return {
    names: chosen,
    verifiesJwt: verify_jwt,
    importMap: import_map === undefined ? undefined : await readPath(import_map, projectFolder),
    env: readEnv(env ?? {}),
    inspector: mode && { function: first, mode },
  };
}

function readNames(value: unknown): string[] {
  const isName = (name: unknown): name is string => typeof name === 'string' && FUNCTION_NAME.test(name);
  if (Array.isArray(value) && value.length > 0 && value.every(isName)) return value;
  throw refused('names must be a list of names of functions');
}

/** The file is read by the server, so it has to belong to the project. */
async function readPath(value: unknown, projectFolder: string): Promise<string> {
  if (typeof value !== 'string' || !isAbsolute(value)) throw refused('import_map must be an absolute path');
  const path = await realpath(value).catch(() => {
    throw refused(`import_map: ${value} does not exist on the machine of the instance`);
  });
  const below = relative(await realpath(projectFolder), path);
  if (below === '..' || below.startsWith(`..${sep}`) || isAbsolute(below))
    throw refused(`import_map: ${value} is not in the folder of the project`);
  return path;
}

function readEnv(value: unknown): Map<string, string> {
  if (typeof value !== 'object' || value === null) throw refused('env must be an object');
  return new Map(
    Object.entries(value).map(([name, text]) => {
      if (typeof text !== 'string') throw refused(`the value of ${name} must be a text`);
      return [name, text];
    }),
  );
}

function refused(message: string): Error {
  return failure('INVALID_REQUEST', { message });
}

/** Whether the changes concern a function. */
export function concerns({ names }: ServeOverrides, { name }: ProjectFunction): boolean {
  return names?.includes(name) ?? true;
}

/** Returns a function with the changes. */
export function overridden(source: ProjectFunction, overrides: ServeOverrides): ProjectFunction {
  return {
    ...source,
    verifiesJwt: overrides.verifiesJwt ?? source.verifiesJwt,
    importMap: overrides.importMap ?? source.importMap,
    env: new Map([...source.env, ...overrides.env]),
  };
}
