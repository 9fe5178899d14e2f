/** Errors for callers that are programs: as JSON instead of a page. */
import type { ErrorDescription } from './describe-error.ts';

/** Tells whether a caller of `pathname` is better served with JSON. A caller that takes HTML always gets HTML. */
export function prefersJson(headers: Headers, pathname: string): boolean {
  const accept = headers.get('accept') ?? '';
  if (accept.includes('text/html')) return false;
  return (
    accept.includes('application/json') ||
    /curl\/|httpie\//i.test(headers.get('user-agent') ?? '') ||
    headers.get('sec-fetch-mode') === 'cors' ||
    pathname.startsWith('/api/') ||
    pathname.endsWith('.json')
  );
}

/** The answer to such a caller. `fullPath` is path with query. */
export function jsonError({ status, title, message }: ErrorDescription, fullPath: string): Response {
  const body = { error: true, url: fullPath, status, statusText: title, message, data: { path: fullPath } };
  return Response.json(body, { status });
}
