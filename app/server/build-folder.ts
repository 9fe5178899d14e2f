/** Locations of the app's files on disk. */
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Product } from '@greenroom/product';
import { readBuilds } from './build-history.ts';

/** Folder of the app's sources, with a trailing slash. */
export const APP_FOLDER = new URL('../', import.meta.url);

/** Folder of the build of the built-in pages. */
export const BUILD_FOLDER = new URL('build/', APP_FOLDER);

/** Locations of the files of one build. */
interface BuildFiles {
  /** Folder of the build, with a trailing slash. */
  folder: URL;
  /** Bundle that renders pages on the server. */
  server: URL;
  /**
   * Browser files whose names change with their content. Each has a `.br` and a `.gz` copy if those are
   * smaller.
   */
  assets: URL;
  /**
   * Browser files with constant names. This folder also contains the folder of the files with changing names.
   */
  publicFiles: URL;
}

/** Returns the build of a product, or that of the built-in pages for a product without pages. */
export function buildFilesOf(product: Product | undefined): BuildFiles {
  const folder = product?.hasPages ? pathToFileURL(join(product.folder, 'build/')) : BUILD_FOLDER;
  return {
    folder,
    server: new URL('server/index.js', folder),
    assets: new URL('client/assets/', folder),
    publicFiles: new URL('client/', folder),
  };
}

/** Returns the id of a build; it changes with the sources. */
export async function readBuildId({ folder }: BuildFiles): Promise<string> {
  const [current] = await readBuilds(fileURLToPath(folder));
  if (!current) throw new Error('The app is not built.');
  return current.id;
}
