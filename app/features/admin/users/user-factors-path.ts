/**
 * Returns the path of a user's second factors in the admin area. The selection is in the query, since
 * routes have no parameters.
 */
export function userFactorsPath(userId: string): string {
  return `/admin/users?user=${encodeURIComponent(userId)}`;
}
