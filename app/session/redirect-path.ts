/**
 * The path that a visitor requested before the sign-in: which paths may be saved and restored, and the
 * cookie's name. The value comes back from the visitor's cookie, so it is validated again each time (open
 * redirects).
 */
import { matchesPattern } from '../lib/patterns.ts';

/** Lifetime of the saved path: 8 hours, in seconds. */
export const REDIRECT_PATH_MAX_AGE_SECONDS = 28_800;

/** Longer paths are not saved: a browser accepts about 4096 bytes per cookie. */
const MAX_PATH_LENGTH = 2048;
/** A placeholder: paths are resolved against it to find out whether a browser would leave the origin. */
const PLACEHOLDER_ORIGIN = 'http://origin.invalid';
// biome-ignore lint/suspicious/noControlCharactersInRegex: browsers drop some of them when they parse a URL
const CONTROL_OR_BACKSLASH = /[\u0000-\u001f\u007f\\]/;

/** The two pages that are never redirect targets after a sign-in. */
export interface SignInPages {
  login: string;
  callback: string;
}

/** Returns the name of the cookie that holds the path. */
export function redirectPathCookieName(cookiePrefix: string): string {
  return `${cookiePrefix}-redirect-path`;
}

/**
 * Returns the path (with query and hash), normalized as a browser would parse it, if it stays on this
 * origin. Returns undefined for anything else: other origins and schemes, `//host`, backslashes, control
 * characters, the sign-in page and the callback.
 */
export function safeRedirectPath(value: string | undefined, pages: SignInPages): string | undefined {
  if (!value || value.length > MAX_PATH_LENGTH) return undefined;
  if (!value.startsWith('/') || value.startsWith('//') || CONTROL_OR_BACKSLASH.test(value)) return undefined;
  if (!URL.canParse(value, PLACEHOLDER_ORIGIN)) return undefined;
  const url = new URL(value, PLACEHOLDER_ORIGIN);
  if (url.origin !== PLACEHOLDER_ORIGIN || url.pathname.startsWith('//')) return undefined;
  if (matchesPattern(pages.login, url.pathname) || matchesPattern(pages.callback, url.pathname))
    return undefined;
  return url.pathname + url.search + url.hash;
}
