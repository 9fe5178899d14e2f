/** Where things of the app lie on disk. */

/** Folder of the app's sources, with a slash at its end. */
export const APP_FOLDER = new URL('../', import.meta.url);

/** Folder of the production build. */
export const BUILD_FOLDER = new URL('build/', APP_FOLDER);

/** Files for browsers whose names change with their content: they may be cached for ever. */
export const clientAssets = {
  /** Folder whose files are served below the prefix; beside each lies a `.br` and a `.gz` where that saves bytes. */
  directory: new URL('client/assets/', BUILD_FOLDER),
  prefix: '/assets/',
} as const;

/** The bundle that renders pages on the server. */
export function serverBuildUrl(): URL {
  return new URL('server/index.js', BUILD_FOLDER);
}
