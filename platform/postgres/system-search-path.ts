/**
 * Returns the URL for connections without schemas of the project in their search path, so that its functions and operators
 * cannot stand in for those of PostgreSQL in statements of a superuser.
 */
export function withSystemSearchPath(url: string): string {
  const target = new URL(url);
  target.searchParams.set('options', '-c search_path=pg_catalog');
  return target.href;
}
