/** Paths of the app, and the same paths on a site whose app lies below a base path. */

/** Puts an app's path (`/login`) below the base (`/app/`): `/app/login`. */
export function withBase(path: string, baseURL: string): string {
  return baseURL === '/' ? path : baseURL + path.slice(1);
}

/** Takes the base away again; a path outside of it stays as it is. The base itself may lack its last slash. */
export function withoutBase(path: string, baseURL: string): string {
  if (path.startsWith(baseURL)) return path.slice(baseURL.length - 1);
  const bare = baseURL.slice(0, -1);
  const rest = path.slice(bare.length);
  return path.startsWith(bare) && /^(\?|#|$)/.test(rest) ? `/${rest}` : path;
}
