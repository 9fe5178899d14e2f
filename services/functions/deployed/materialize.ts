/** Writes the files of a bundle into a folder of the instance, from which the function is prepared. */
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ProjectFunction } from '@greenroom/project';
import type { FunctionBundle } from './bundle.ts';

/** A deployed function on this node. */
export interface Materialized {
  source: ProjectFunction;
  hash: string;
}

/** Options of {@link materialize}. */
interface MaterializeOptions {
  name: string;
  bundle: FunctionBundle;
  /** Identifies the content of the bundle. */
  hash: string;
  /** Absolute path of the folder for deployed files of this function. */
  folder: string;
}

/**
 * Returns the function with the absolute paths of its files, which exist then. The paths of the bundle must have been
 * checked: they are relative, and lead out of no folder.
 */
export async function materialize({ name, bundle, hash, folder }: MaterializeOptions): Promise<Materialized> {
  const target = join(folder, hash);
  if (!(await exists(target))) {
    const partial = join(folder, `partial-${randomUUID()}`);
    for (const { path, content } of bundle.files) {
      const file = join(partial, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, content, { flag: 'wx' });
    }
    await rename(partial, target).catch(async (error: unknown) => {
      await rm(partial, { recursive: true, force: true });
      if (!(await exists(target))) throw error;
    });
  }
  const absolute = (path: string) => join(target, path);
  return {
    hash,
    source: {
      name,
      entry: absolute(bundle.entrypoint),
      importMap: bundle.importMap === undefined ? undefined : absolute(bundle.importMap),
      staticFiles: bundle.staticFiles.map(absolute),
      verifiesJwt: bundle.verifiesJwt,
      env: new Map(),
      // Others may have written it: it must not read files of the server by importing them.
      boundary: target,
    },
  };
}

/** Removes everything but the files of one bundle. Files of a deployment in progress stay. */
export async function keepOnly(folder: string, hash: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    if (name !== hash && !name.startsWith('partial-'))
      await rm(join(folder, name), { recursive: true, force: true });
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
