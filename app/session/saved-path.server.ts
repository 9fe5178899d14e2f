/** Keeps the path that a visitor asked for while they sign in. */

import type { CookieJar } from './cookie-jar.server.ts';
import {
  REDIRECT_PATH_MAX_AGE_SECONDS,
  redirectPathCookieName,
  type SignInPages,
  safeRedirectPath,
} from './redirect-path.ts';

/** Where paths are kept, and which are never restored. */
export interface SavedPathSettings {
  cookiePrefix: string;
  pages: SignInPages;
}

/** Saves a path with query; a path that could not be restored is not saved. */
export function savePath(jar: CookieJar, path: string, { cookiePrefix, pages }: SavedPathSettings): void {
  const safe = safeRedirectPath(path, pages);
  if (safe === undefined) return;
  jar.set(redirectPathCookieName(cookiePrefix), safe, { maxAge: REDIRECT_PATH_MAX_AGE_SECONDS });
}

/** Reads the saved path and takes its cookie away, in one step; `/` where there is none that may be followed. */
export function pluckPath(jar: CookieJar, { cookiePrefix, pages }: SavedPathSettings): string {
  const name = redirectPathCookieName(cookiePrefix);
  const saved = jar.get(name);
  if (saved !== undefined) jar.clear(name);
  return safeRedirectPath(saved, pages) ?? '/';
}
