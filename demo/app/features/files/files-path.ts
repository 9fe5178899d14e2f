/** URLs of folders and files. Pure. */

/** Id of the section of files on the home page. */
export const FILES_ID = 'files';

/** Returns the URL of the home page with a folder open. */
export function filesPath(folder: string): string {
  return `/${folder === '' ? '' : `?${new URLSearchParams({ folder })}`}#${FILES_ID}`;
}

/** Returns the URL of a file's content; `isDownload` makes browsers save it. */
export function fileHref(path: string, isDownload: boolean): string {
  return `/file?${new URLSearchParams({ path, ...(isDownload && { download: '' }) })}`;
}
