/** The address of the page behind a request, character by character as the visitor has it. */
import { withoutBase } from './base-path.ts';

/** The router's own parameter of requests for data. */
const ROUTES_PARAMETER = /^_routes(=|$)/;

/**
 * Path with query, below the app's base, of the page that a request is about. A request for a page's data has `.data` behind its path
 * (`_.data` behind a slash); the router's own view of the address would write the query anew.
 * @example documentPath('http://x/nope.data?a&_routes=root', '/') // '/nope?a'
 */
export function documentPath(requestUrl: string, baseURL: string): string {
  return withoutBase(sitePath(requestUrl), baseURL);
}

function sitePath(requestUrl: string): string {
  const { pathname, search } = new URL(requestUrl);
  if (!pathname.endsWith('.data')) return pathname + search;
  const parameters = search.slice(1).split('&');
  const kept = parameters.filter((parameter) => parameter !== '' && !ROUTES_PARAMETER.test(parameter));
  return pathname.replace(/(\/)_\.data$|\.data$/, '$1') + (kept.length > 0 ? `?${kept.join('&')}` : '');
}
