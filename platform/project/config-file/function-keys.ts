/** The keys of a config.toml about functions: `functions.<name>` and `edge_runtime`. */
import { resolve } from 'node:path';
import type { ConfigProblem, ConfigValue } from '@greenroom/config';
import type { Project } from '../find-project.ts';
import { FUNCTION_NAME } from '../function-name.ts';
import { type ConfigDocument, type ConfigTable, isTable, valueAt } from './document.ts';
import { booleanOf, type ReportProblem, readerOf, reportTo, textOf, textsOf } from './key-values.ts';

/** Keys of a declared function. Paths are absolute. */
export interface FunctionKeys {
  isEnabled: boolean;
  verifiesJwt: boolean;
  /** Module of the function; undefined: the one in its folder. */
  entry: string | undefined;
  /** Import map or `deno.json`; undefined: the one in its folder. */
  importMap: string | undefined;
  /** Patterns of further files that it reads. */
  staticFiles: readonly string[];
  /** Variables of its environment. */
  env: ReadonlyMap<string, string>;
}

/** All keys about functions. */
export interface FunctionsKeys {
  /** Declared functions by name. Others are found by their folders. */
  declared: ReadonlyMap<string, FunctionKeys>;
  /** `edge_runtime.secrets` by name. */
  secrets: ReadonlyMap<string, string>;
}

/** Names of the keys of a function. */
export const FUNCTION_KEYS = ['enabled', 'verify_jwt', 'entrypoint', 'import_map', 'static_files'] as const;

const SECRETS = ['edge_runtime', 'secrets'];
const VERSION = ['edge_runtime', 'deno_version'];
const DENO_VERSIONS: ReadonlySet<unknown> = new Set([1, 2]);
const ALLOWED_NAME = 'a letter, then letters, digits, _ and -';

/** Reads the keys. Values that are not allowed are problems. */
export function readFunctionsKeys(
  document: ConfigDocument,
  { supabaseFolder }: Pick<Project, 'supabaseFolder'>,
): { keys: FunctionsKeys; problems: readonly ConfigProblem[]; warnings: readonly string[] } {
  const problems: ConfigProblem[] = [];
  const keys = new Map<string, FunctionKeys>();
  const report = reportTo(problems, document);
  const declared = valueAt(document.values, ['functions']);
  for (const [name, table] of isTable(declared) ? Object.entries(declared) : []) {
    const path = ['functions', name];
    if (!FUNCTION_NAME.test(name)) report(path, name, ALLOWED_NAME);
    else if (!isTable(table)) report(path, table, `a table with ${FUNCTION_KEYS.join(', ')}`);
    else keys.set(name, readFunction({ report, path, table, folder: supabaseFolder }));
  }
  const secrets = readVariables(SECRETS, valueAt(document.values, SECRETS), report);
  const version = valueAt(document.values, VERSION);
  if (version !== undefined && !DENO_VERSIONS.has(version)) report(VERSION, version, '1, 2');
  const warnings =
    version === 1 ? [`${document.placeOf(VERSION)}: functions run on Deno 2, not on Deno 1`] : [];
  return { keys: { declared: keys, secrets }, problems, warnings };
}

/** Reads a table of texts. */
function readVariables(
  path: readonly string[],
  table: ConfigValue | undefined,
  report: ReportProblem,
): ReadonlyMap<string, string> {
  const variables = new Map<string, string>();
  for (const [name, value] of isTable(table) ? Object.entries(table) : []) {
    if (typeof value === 'string') variables.set(name, value);
    else report([...path, name], value, 'a text');
  }
  return variables;
}

interface FunctionTable {
  path: readonly string[];
  table: ConfigTable;
  /** Folder that paths are relative to. */
  folder: string;
  report: ReportProblem;
}

function readFunction({ path, table, folder, report }: FunctionTable): FunctionKeys {
  const read = readerOf<(typeof FUNCTION_KEYS)[number]>(table, path, report);
  const flag = (key: 'enabled' | 'verify_jwt') => read(key, booleanOf, 'true, false') ?? true;
  const file = (key: 'entrypoint' | 'import_map') => {
    const name = read(key, textOf, 'a path');
    return name ? resolve(folder, name) : undefined;
  };
  const patterns = read('static_files', textsOf, 'a list of paths') ?? [];
  return {
    isEnabled: flag('enabled'),
    verifiesJwt: flag('verify_jwt'),
    entry: file('entrypoint'),
    importMap: file('import_map'),
    staticFiles: patterns.map((pattern) => resolve(folder, pattern)),
    env: readVariables([...path, 'env'], table.env, report),
  };
}
