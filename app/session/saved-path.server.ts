/** Saves the path that a visitor requested, until they have signed in. */

import type { CookieJar } from './cookie-jar.server.ts';
import {
  REDIRECT_PATH_MAX_AGE_SECONDS,
  redirectPathCookieName,
  type SignInPages,
  safeRedirectPath,
} from './redirect-path.ts';

/** The cookie prefix, and the pages that are never restored. */
export interface SavedPathSettings {
  cookiePrefix: string;
  pages: SignInPages;
}

/** Saves a path with query, unless it is unsafe to restore. */
export function savePath(jar: CookieJar, path: string, { cookiePrefix, pages }: SavedPathSettings): void {
  const safe = safeRedirectPath(path, pages);
  if (safe === undefined) return;
  jar.set(redirectPathCookieName(cookiePrefix), safe, { maxAge: REDIRECT_PATH_MAX_AGE_SECONDS });
}

/** Returns the saved path and deletes its cookie; `/` if no safe path is saved. */
export function consumeSavedPath(jar: CookieJar, { cookiePrefix, pages }: SavedPathSettings): string {
  const name = redirectPathCookieName(cookiePrefix);
  const saved = jar.get(name);
  if (saved !== undefined) jar.clear(name);
  return safeRedirectPath(saved, pages) ?? '/';
}
