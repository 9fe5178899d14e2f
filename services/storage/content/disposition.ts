/** Header `Content-Disposition`, RFC 6266. */

/** Longer names are cut: file systems have no use for them. */
const MOST_CHARACTERS = 1024;
/** What `encodeURIComponent` leaves although it is no `attr-char` of RFC 8187. */
const LEFT_OVER = /['()*]/g;

/**
 * For a download as a file. Without a name browsers take the last part of the path. A name may be in any script, and
 * nothing in it can end the header: all but letters, digits and a few signs is percent-encoded.
 *
 * @example dispositionOf('naïve.txt') // attachment; filename=na%C3%AFve.txt; filename*=UTF-8''na%C3%AFve.txt
 */
export function dispositionOf(download: string | undefined): string | undefined {
  if (download === undefined) return undefined;
  if (download === '') return 'attachment;';
  const name = encodeURIComponent(download.slice(0, MOST_CHARACTERS).toWellFormed()).replace(
    LEFT_OVER,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename=${name}; filename*=UTF-8''${name}`;
}
