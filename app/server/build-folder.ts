/** Where things of the app lie on disk. */
import { fileURLToPath } from 'node:url';
import { readBuilds } from './build-history.ts';

/** Folder of the app's sources, with a slash at its end. */
export const APP_FOLDER = new URL('../', import.meta.url);

/** Folder of the production build. */
export const BUILD_FOLDER = new URL('build/', APP_FOLDER);

/** Files for browsers whose names change with their content. Beside each lies a `.br` and a `.gz` where that saves bytes. */
export const BUILT_ASSETS_FOLDER = new URL('client/assets/', BUILD_FOLDER);

/** Files for browsers with lasting names. The folder of the others is in it too. */
export const PUBLIC_FILES_FOLDER = new URL('client/', BUILD_FOLDER);

/** Id of the production build; it changes with the sources. */
export async function readBuildId(): Promise<string> {
  const [current] = await readBuilds(fileURLToPath(BUILD_FOLDER));
  if (!current) throw new Error('The app is not built.');
  return current.id;
}

/** The bundle that renders pages on the server. */
export function serverBuildUrl(): URL {
  return new URL('server/index.js', BUILD_FOLDER);
}
