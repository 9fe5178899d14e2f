/** Pages that are sent only when all of their data is there: for crawlers, and for those who ask for it without scripts. */

/** In the query string: the whole page, please. */
export const WHOLE_PARAMETER = 'whole';

/** Whether a page is asked for as a whole. */
export function asksForWholePage(url: string): boolean {
  return new URL(url).searchParams.has(WHOLE_PARAMETER);
}
