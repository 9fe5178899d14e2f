/** Paths that pages of a product cannot have, because something else responds to them before pages do. */

/** Paths of services and operators, with all paths below them. */
const PREFIXES = [
  'auth/v1',
  'rest/v1',
  'realtime/v1',
  'storage/v1',
  'functions/v1',
  'graphql/v1',
  'pg',
  'health',
  'metrics',
  'assets',
  'api/_icons',
];

/** Ends of the paths by which browsers load the data of pages. */
const ENDINGS = ['.data', '/_payload.json'];

/**
 * Returns the reserved path or ending that a route has; undefined for any other route.
 * @param url path of the route without a slash at its start, in the notation of the router
 */
export function reservedPart(url: string): string | undefined {
  const path = url.toLowerCase();
  const prefix = PREFIXES.find((each) => path === each || path.startsWith(`${each}/`));
  return prefix === undefined ? ENDINGS.find((each) => `/${path}`.endsWith(each)) : `/${prefix}`;
}
