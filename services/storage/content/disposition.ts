/** Header `Content-Disposition`, RFC 6266. */

/** Longer names are truncated: file systems do not support them. */
const MAX_CHARACTERS = 1024;
/** Characters that `encodeURIComponent` keeps although they are not an `attr-char` of RFC 8187. */
const UNENCODED = /['()*]/g;

/**
 * Builds the header for a download as a file; undefined if the object is not downloaded as a file. With an empty name,
 * browsers take the last segment of the path. Names may be in any script. Everything except letters, digits and a few
 * signs is percent-encoded, so a name cannot inject into the header.
 *
 * @example dispositionOf('naïve.txt') // attachment; filename=na%C3%AFve.txt; filename*=UTF-8''na%C3%AFve.txt
 */
export function dispositionOf(download: string | undefined): string | undefined {
  if (download === undefined) return undefined;
  if (download === '') return 'attachment;';
  const name = encodeURIComponent(download.slice(0, MAX_CHARACTERS).toWellFormed()).replace(
    UNENCODED,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename=${name}; filename*=UTF-8''${name}`;
}
