/** How a request of an application is known: search parameter `authorization_id`. */

/** It becomes a part of a path, so it must not hold anything that could lead elsewhere. */
const ID = /^[\w-]{1,128}$/;

/** Undefined where there is none that could be one. */
export function readAuthorizationId(search: URLSearchParams): string | undefined {
  const id = search.get('authorization_id') ?? '';
  return ID.test(id) ? id : undefined;
}
