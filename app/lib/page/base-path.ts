/** Converts between the paths of the app and those of a site that serves the app below a base path. */

/** Puts a path of the app (`/login`) below the base (`/app/`): `/app/login`. */
export function withBase(path: string, baseURL: string): string {
  return baseURL === '/' ? path : baseURL + path.slice(1);
}

/**
 * Removes the base; a path outside of it is returned unchanged. The base itself may lack its trailing
 * slash.
 */
export function withoutBase(path: string, baseURL: string): string {
  if (path.startsWith(baseURL)) return path.slice(baseURL.length - 1);
  const base = baseURL.slice(0, -1);
  const rest = path.slice(base.length);
  return path.startsWith(base) && /^(\?|#|$)/.test(rest) ? `/${rest}` : path;
}
