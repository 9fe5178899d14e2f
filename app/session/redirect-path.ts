/**
 * The path that a visitor asked for before the login: what may be saved, under which cookie, and what may be
 * restored. The value comes back from the visitor's cookie, so it is judged again each time (open redirects).
 */
import { matchesPattern } from '../lib/patterns.ts';

/** How long the saved path is kept: 8 hours, in seconds. */
export const REDIRECT_PATH_MAX_AGE_SECONDS = 28_800;

/** Longer paths are not worth a cookie, of which a browser keeps about 4096 bytes. */
const MAX_PATH_LENGTH = 2048;
/** Only its shape matters: a path is resolved against it to see where a browser would go. */
const SOME_ORIGIN = 'http://origin.invalid';
// biome-ignore lint/suspicious/noControlCharactersInRegex: browsers drop some of them when they read a URL
const CONTROL_OR_BACKSLASH = /[\u0000-\u001f\u007f\\]/;

/** The two pages to which nobody is sent back. */
export interface SignInPages {
  login: string;
  callback: string;
}

/** Name of the cookie that holds the path. */
export function redirectPathCookieName(cookiePrefix: string): string {
  return `${cookiePrefix}-redirect-path`;
}

/**
 * Returns the path (with query and hash) as a browser would read it when it stays on this origin, and undefined
 * for anything else: other origins and schemes, `//host`, backslashes, control characters, the login and the callback.
 */
export function safeRedirectPath(value: string | undefined, pages: SignInPages): string | undefined {
  if (!value || value.length > MAX_PATH_LENGTH) return undefined;
  if (!value.startsWith('/') || value.startsWith('//') || CONTROL_OR_BACKSLASH.test(value)) return undefined;
  if (!URL.canParse(value, SOME_ORIGIN)) return undefined;
  const url = new URL(value, SOME_ORIGIN);
  if (url.origin !== SOME_ORIGIN || url.pathname.startsWith('//')) return undefined;
  if (matchesPattern(pages.login, url.pathname) || matchesPattern(pages.callback, url.pathname))
    return undefined;
  return url.pathname + url.search + url.hash;
}
