/** Where the admin area shows the second factors of a user: the selection is in the query, since routes have no parameters. */
export function userFactorsPath(userId: string): string {
  return `/admin?user=${encodeURIComponent(userId)}`;
}
