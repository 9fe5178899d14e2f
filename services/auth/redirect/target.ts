/**
 * Determines the redirect target of a request. A target that is not allowed is not an error; the site's URL replaces
 * it.
 */
import type { AuthContext } from '../context.ts';
import type { AuthRequest } from '../contracts/request.ts';
import { allowedRedirect } from './allow-list.ts';

/**
 * Returns the first allowed target, normalized: header `redirect_to`, else parameter `redirect_to`; `Referer`; the
 * site's URL.
 */
export function redirectTarget(
  { config }: Pick<AuthContext, 'config'>,
  request: AuthRequest,
  parameters: URLSearchParams = request.query,
): string {
  const requested = request.header('redirect_to') || parameters.get('redirect_to') || '';
  const referer = request.header('referer') ?? '';
  return allowedRedirect(requested, config) ?? allowedRedirect(referer, config) ?? config.redirects.siteUrl;
}

/** Adds parameters to the query and fragment of a URL. An empty list does not change its part. */
export function redirectUrl(
  target: string,
  { query = {}, fragment = {} }: { query?: Record<string, string>; fragment?: Record<string, string> },
): string {
  const url = new URL(target);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  if (Object.keys(fragment).length > 0) url.hash = sorted(fragment).toString();
  return url.href;
}

/** The empty parameter `sb` marks the fragment as one for Supabase clients. */
function sorted(fragment: Record<string, string>): URLSearchParams {
  const parameters = new URLSearchParams({ ...fragment, sb: '' });
  parameters.sort();
  return parameters;
}
