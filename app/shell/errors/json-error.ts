/** Errors for callers that are programs: as JSON instead of a page. */

import { errorMessage } from '../../session/error-words.ts';
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

/** What such a caller reads, in English. `fullPath` is path with query. */
export function jsonErrorBody({ status, title, reason }: ErrorDescription, fullPath: string) {
  const message = errorMessage(reason, 'en');
  return { error: true, url: fullPath, status, statusText: title, message, data: { path: fullPath } };
}

/** The answer to such a caller, with the headers that a page in its place would have. */
export function jsonError(description: ErrorDescription, fullPath: string, headers: Headers): Response {
  return Response.json(jsonErrorBody(description, fullPath), { status: description.status, headers });
}
