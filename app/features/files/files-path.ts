/** Addresses of folders and files. Pure. */

/** Id of the files' part of the home page. */
export const FILES_ID = 'files';

/** The home page with a folder open. */
export function filesPath(folder: string): string {
  return `/${folder === '' ? '' : `?${new URLSearchParams({ folder })}`}#${FILES_ID}`;
}

/** Leads to a file's content; browsers save it where `isDownload`. */
export function fileHref(path: string, isDownload: boolean): string {
  return `/file?${new URLSearchParams({ path, ...(isDownload && { download: '' }) })}`;
}
