/** Errors as JSON instead of a page, for API clients. */

import { errorMessage } from '../../session/error-message.ts';
import type { ErrorDescription } from './describe-error.ts';

/** Returns whether a client of `pathname` should get JSON. A client that accepts HTML always gets HTML. */
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

/** Builds the JSON body, in English. `fullPath` is path with query. */
export function jsonErrorBody({ status, title, reason }: ErrorDescription, fullPath: string) {
  const message = errorMessage(reason, 'en');
  return { error: true, url: fullPath, status, statusText: title, message, data: { path: fullPath } };
}

/** Builds the JSON response, with the headers that the page would have. */
export function jsonError(description: ErrorDescription, fullPath: string, headers: Headers): Response {
  return Response.json(jsonErrorBody(description, fullPath), { status: description.status, headers });
}
