/** Pages that are sent only when all of their data is available, for clients that run no scripts. */

/** Query parameter that requests the whole page. */
export const WHOLE_PARAMETER = 'whole';

/**
 * Returns whether a page has to be sent whole. This includes responses to form posts, because browsers that
 * run scripts send forms with `fetch` and receive data instead of a document.
 */
export function needsWholePage({ method, url }: Pick<Request, 'method' | 'url'>): boolean {
  return method === 'POST' || new URL(url).searchParams.has(WHOLE_PARAMETER);
}
