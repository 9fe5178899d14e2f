/** The id of an authorization request: search parameter `authorization_id`. */

/** The id becomes part of a path, so it must not contain separators. */
const ID = /^[\w-]{1,128}$/;

/** Returns undefined if the parameter is missing or invalid. */
export function readAuthorizationId(search: URLSearchParams): string | undefined {
  const id = search.get('authorization_id') ?? '';
  return ID.test(id) ? id : undefined;
}
