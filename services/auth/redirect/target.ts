/** Where a request wants its links to lead. A target that is not allowed is not an error: it becomes the site. */
import type { AuthContext } from '../context.ts';
import type { AuthRequest } from '../contracts/request.ts';
import { allowedRedirect } from './allow-list.ts';

/**
 * First of these that is allowed, normalised: header `redirect_to`, else parameter `redirect_to`; `Referer`; else the
 * site's URL.
 */
export function redirectTarget(
  { config }: Pick<AuthContext, 'config'>,
  request: AuthRequest,
  parameters: URLSearchParams = request.query,
): string {
  const wanted = request.header('redirect_to') || parameters.get('redirect_to') || '';
  const referer = request.header('referer') ?? '';
  return allowedRedirect(wanted, config) ?? allowedRedirect(referer, config) ?? config.redirects.siteUrl;
}

/** Adds parameters to the query and to the fragment of a URL. An empty list of either leaves that part alone. */
export function redirectUrl(
  target: string,
  { query = {}, fragment = {} }: { query?: Record<string, string>; fragment?: Record<string, string> },
): string {
  const url = new URL(target);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  if (Object.keys(fragment).length > 0) url.hash = sorted(fragment).toString();
  return url.href;
}

/** `sb`, empty, tells clients that the fragment is for them. */
function sorted(fragment: Record<string, string>): URLSearchParams {
  const parameters = new URLSearchParams({ ...fragment, sb: '' });
  parameters.sort();
  return parameters;
}
