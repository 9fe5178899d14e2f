/** Reads the product in a folder. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError } from '@greenroom/config';
import { LOAD_TIMEOUT_MS, loadConfigFile } from './load-config-file.ts';
import { problemsOf } from './problems.ts';
import { type ProductConfig, productConfig } from './schema.ts';

/** Names of the file, in the order in which they are looked for. */
export const CONFIG_FILES = ['greenroom.config.ts', 'greenroom.config.js', 'greenroom.config.mjs'] as const;

/** Entries of `app/` that a build contains; public files are served as they are. */
const BUILT_ENTRIES: ReadonlySet<string> = new Set([
  'features',
  'hooks.server.ts',
  'routes',
  'shell',
  'styles.css',
  'texts',
  'ui',
]);

/**
 * A folder with `greenroom.config.ts`. A folder `app/` alone does not count: it may belong to a program that only uses the
 * backend.
 */
export interface Product {
  /** Absolute path. */
  folder: string;
  /** Absolute path of the folder with pages and public files; undefined if it does not exist. */
  appFolder: string | undefined;
  /** Whether the folder has pages, parts or styles, so that pages are built for the product. */
  hasPages: boolean;
  /** Name of the file with the values below. */
  configFile: string;
  config: ProductConfig;
}

/**
 * Returns the product in a folder; undefined if the folder has none.
 * @param options.timeoutMs maximum time of the top-level `await` of the file
 * @throws ConfigError that names every wrong value of `greenroom.config.ts`, and ProductError if it cannot be loaded
 */
export async function readProduct(
  folder: string,
  { timeoutMs = LOAD_TIMEOUT_MS }: { timeoutMs?: number } = {},
): Promise<Product | undefined> {
  const configFile = await findConfigFile(folder);
  if (configFile === undefined) return undefined;
  const appFolder = (await isFolder(join(folder, 'app'))) ? join(folder, 'app') : undefined;
  const config = parse(await loadConfigFile(join(folder, configFile), timeoutMs), configFile);
  if (config.logo !== undefined && !(await exists(join(folder, 'app', 'public', config.logo)))) {
    throw new ConfigError([
      { origin: configFile, name: 'logo', value: config.logo, allowed: 'a file in app/public' },
    ]);
  }
  const entries = appFolder === undefined ? [] : await readdir(appFolder);
  const hasPages = entries.some((name) => BUILT_ENTRIES.has(name));
  return { folder, appFolder, hasPages, configFile, config };
}

async function findConfigFile(folder: string): Promise<string | undefined> {
  for (const name of CONFIG_FILES) if (await exists(join(folder, name))) return name;
  return undefined;
}

function parse(value: unknown, origin: string): ProductConfig {
  // The schema regards every object as a record, and would find no value in it.
  const parsed = productConfig.safeParse(isObjectOfAnotherClass(value) ? String(value) : value);
  if (parsed.success) return parsed.data;
  throw new ConfigError(problemsOf(parsed.error.issues, value, { schema: productConfig, origin }));
}

function isObjectOfAnotherClass(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    ![null, Object.prototype].includes(Object.getPrototypeOf(value))
  );
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() ?? false;
}
