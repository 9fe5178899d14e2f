/** Finds npm packages that are installed, with those that they depend on. */
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import semver from 'semver';

/** A package and its place below `node_modules` of a prepared function. */
export interface InstalledPackage {
  name: string;
  version: string;
  /** Absolute path of its folder. */
  folder: string;
  /** Names of the packages that it depends on, with their places. */
  dependencies: readonly InstalledPackage[];
}

/** Names of npm. Others, such as `..`, could lead to folders that contain no package. */
const PACKAGE_NAME = /^(?:@[\w~-][\w.~-]*\/)?[\w~-][\w.~-]*$/;

interface Manifest {
  version?: string;
  dependencies?: Readonly<Record<string, string>>;
  optionalDependencies?: Readonly<Record<string, string>>;
  peerDependencies?: Readonly<Record<string, string>>;
}

/**
 * Returns a package of this range with everything that it depends on, found from a folder as Node.js finds packages;
 * undefined if one of them is not installed.
 */
export async function findInstalled(
  name: string,
  range: string,
  from: string,
): Promise<InstalledPackage | undefined> {
  if (!PACKAGE_NAME.test(name)) return undefined;
  return find({ name, range, from, visiting: new Map() });
}

interface Search {
  name: string;
  range: string;
  from: string;
  /** Packages by folder, because packages may depend on each other. */
  visiting: Map<string, InstalledPackage>;
}

async function find({ name, range, from, visiting }: Search): Promise<InstalledPackage | undefined> {
  for (let parent = from; ; parent = dirname(parent)) {
    const folder = join(parent, 'node_modules', name);
    const manifest = await readManifest(folder);
    if (manifest?.version !== undefined && semver.satisfies(manifest.version, range)) {
      return visiting.get(folder) ?? withDependencies({ name, folder, manifest, visiting });
    }
    if (parent === dirname(parent)) return undefined;
  }
}

interface Found {
  name: string;
  folder: string;
  manifest: Manifest;
  visiting: Map<string, InstalledPackage>;
}

async function withDependencies({
  name,
  folder,
  manifest,
  visiting,
}: Found): Promise<InstalledPackage | undefined> {
  const dependencies: InstalledPackage[] = [];
  const result = { name, version: manifest.version ?? '', folder, dependencies };
  visiting.set(folder, result);
  for (const [dependency, range] of Object.entries(manifest.dependencies ?? {})) {
    const found = await find({ name: dependency, range, from: folder, visiting });
    if (found === undefined) return undefined;
    dependencies.push(found);
  }
  return result;
}

async function readManifest(folder: string): Promise<Manifest | undefined> {
  const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as Manifest);
}
