/** Reads error codes from a reference page, so that a test can compare the page with the catalogue. */

/**
 * Returns the codes in the first column of every table under the heading `## Errors` of a Markdown page: rows of the
 * form `` | `code` | … | ``.
 */
export function documentedCodes(markdown: string): string[] {
  const [, section = ''] = markdown.split(/^## Errors\s*$/m);
  const [body = ''] = section.split(/^## /m);
  return [...body.matchAll(/^\|\s*`([^`]+)`\s*\|/gm)].map((row) => row[1] ?? '');
}
