/** The edge functions of a project: folders of `supabase/functions`, and those that config.toml declares. */
import { existsSync } from 'node:fs';
import { glob, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { FunctionKeys } from '../config-file/function-keys.ts';
import type { Project } from '../find-project.ts';
import { FUNCTION_NAME } from '../function-name.ts';

/** A function of a project. Paths are absolute. */
export interface ProjectFunction {
  name: string;
  /** Its module. */
  entry: string;
  /** Its import map or `deno.json`; undefined if it has none. */
  importMap: string | undefined;
  /** Further files that it reads. */
  staticFiles: readonly string[];
  /** Whether only requests with a token or key of the project reach it. */
  verifiesJwt: boolean;
  /** Variables of its environment, in addition to the secrets of all functions. */
  env: ReadonlyMap<string, string>;
  /** Folder that contains all files that it may import; undefined: it may import files of the whole machine. */
  boundary?: string;
}

const ENTRY_FILES = ['index.ts', 'index.tsx', 'index.js', 'index.jsx', 'index.mjs'];
/** Names that Deno finds in the folder of a module and in those above. */
export const DENO_CONFIGS = ['deno.json', 'deno.jsonc'];
const IMPORT_MAPS = [...DENO_CONFIGS, 'import_map.json'];

/** Returns the enabled functions by name, in their order. `declared` are those of config.toml. */
export async function findFunctions(
  { supabaseFolder }: Pick<Project, 'supabaseFolder'>,
  declared: ReadonlyMap<string, FunctionKeys> = new Map(),
): Promise<ProjectFunction[]> {
  const folder = join(supabaseFolder, 'functions');
  const shared = firstExisting(folder, IMPORT_MAPS) ?? firstExisting(supabaseFolder, DENO_CONFIGS);
  const names = new Set([...(await foldersIn(folder)), ...declared.keys()]);
  const found: ProjectFunction[] = [];
  for (const name of [...names].sort()) {
    const keys = declared.get(name);
    const entry = keys?.entry ?? firstExisting(join(folder, name), ENTRY_FILES);
    if (entry === undefined || keys?.isEnabled === false) continue;
    const importMap = keys?.importMap ?? firstExisting(join(folder, name), IMPORT_MAPS) ?? shared;
    const staticFiles = await filesOf(keys?.staticFiles ?? []);
    const { verifiesJwt = true, env = new Map() } = keys ?? {};
    found.push({ name, entry, importMap, staticFiles, verifiesJwt, env });
  }
  return found;
}

async function foldersIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return [];
    throw error;
  });
  return entries.filter((entry) => !entry.isFile() && FUNCTION_NAME.test(entry.name)).map(({ name }) => name);
}

function firstExisting(folder: string, names: readonly string[]): string | undefined {
  return names.map((name) => join(folder, name)).find((path) => existsSync(path));
}

/** Returns the files that patterns match, in their order. */
async function filesOf(patterns: readonly string[]): Promise<string[]> {
  const files = new Set<string>();
  for (const pattern of patterns) {
    const entries = glob(pattern, { withFileTypes: true });
    for await (const entry of entries) if (entry.isFile()) files.add(join(entry.parentPath, entry.name));
  }
  return [...files].sort();
}
