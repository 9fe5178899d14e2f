/** The URL of the page behind a request, character by character as the visitor's browser has it. */
import { withoutBase } from './base-path.ts';

/** The router's own parameter of requests for data. */
const ROUTES_PARAMETER = /^_routes(=|$)/;

/**
 * Path with query, below the app's base, of the requested page. A request for a page's data has `.data`
 * appended to its path (`_.data` after a slash). The router's parsed URL is not used, because it would
 * re-encode the query.
 * @example documentPath('http://x/nope.data?a&_routes=root', '/') // '/nope?a'
 */
export function documentPath(requestUrl: string, baseURL: string): string {
  return withoutBase(sitePath(requestUrl), baseURL);
}

function sitePath(requestUrl: string): string {
  const { pathname, search } = new URL(requestUrl);
  if (!pathname.endsWith('.data')) return pathname + search;
  const parameters = search.slice(1).split('&');
  const remaining = parameters.filter((parameter) => parameter !== '' && !ROUTES_PARAMETER.test(parameter));
  return (
    pathname.replace(/(\/)_\.data$|\.data$/, '$1') + (remaining.length > 0 ? `?${remaining.join('&')}` : '')
  );
}
