/** Reads the product in a folder. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ConfigError } from '@greenroom/config';
import { problemsOf } from './problems.ts';
import { ProductError } from './product-error.ts';
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
 * @throws ConfigError that names every wrong value of `greenroom.config.ts`, and ProductError if it cannot be loaded
 */
export async function readProduct(folder: string): Promise<Product | undefined> {
  const configFile = await findConfigFile(folder);
  if (configFile === undefined) return undefined;
  const appFolder = (await isFolder(join(folder, 'app'))) ? join(folder, 'app') : undefined;
  const config = parse(await load(folder, configFile), configFile);
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

/** Node.js keeps each module for ever, so the time of the last change is part of the URL. */
async function load(folder: string, name: string): Promise<unknown> {
  const path = join(folder, name);
  const url = pathToFileURL(path);
  const { mtimeNs } = await stat(path, { bigint: true });
  url.search = String(mtimeNs);
  try {
    const module = (await import(url.href)) as { default?: unknown };
    return module.default;
  } catch (error) {
    throw new ProductError(`${path} cannot be loaded: ${reasonOf(error)}`);
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function parse(value: unknown, origin: string): ProductConfig {
  const parsed = productConfig.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new ConfigError(problemsOf(parsed.error.issues, value, { schema: productConfig, origin }));
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() ?? false;
}
