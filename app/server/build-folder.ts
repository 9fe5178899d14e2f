/** Locations of the app's files on disk. */
import { fileURLToPath } from 'node:url';
import { readBuilds } from './build-history.ts';

/** Folder of the app's sources, with a trailing slash. */
export const APP_FOLDER = new URL('../', import.meta.url);

/** Folder of the production build. */
export const BUILD_FOLDER = new URL('build/', APP_FOLDER);

/**
 * Browser files whose names change with their content. Each has a `.br` and a `.gz` copy if those are
 * smaller.
 */
export const BUILT_ASSETS_FOLDER = new URL('client/assets/', BUILD_FOLDER);

/**
 * Browser files with constant names. This folder also contains the folder of the files with changing names.
 */
export const PUBLIC_FILES_FOLDER = new URL('client/', BUILD_FOLDER);

/** Returns the id of the production build; it changes with the sources. */
export async function readBuildId(): Promise<string> {
  const [current] = await readBuilds(fileURLToPath(BUILD_FOLDER));
  if (!current) throw new Error('The app is not built.');
  return current.id;
}

/** Returns the URL of the bundle that renders pages on the server. */
export function serverBuildUrl(): URL {
  return new URL('server/index.js', BUILD_FOLDER);
}
