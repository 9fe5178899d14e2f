/** Schemes of URLs in mails. */

/** Those that values from outside may have. */
const COMMON = new Set(['http', 'https', 'mailto']);
/** Those that no value may have: they run, or carry, what is behind them. */
const FORBIDDEN = new Set([
  'javascript',
  'vbscript',
  'data',
  'file',
  'blob',
  'filesystem',
  'view-source',
  'about',
]);

/** Whether nothing may be written behind a scheme. Browsers skip blanks before it, and tabs and line ends in it. */
export function isForbidden(scheme: string): boolean {
  return FORBIDDEN.has(scheme.replace(/[\0-\x20]/g, '').toLowerCase());
}

/**
 * Whether a URL may have its scheme, or has none. Compared as it is written, so that nothing can hide in it.
 *
 * @param isOwn of the service itself: it may lead into an app, by that app's own scheme
 */
export function hasAllowedScheme(url: string, isOwn: boolean): boolean {
  const [, scheme] = /^([^/?#:]*):/.exec(url) ?? [];
  if (scheme === undefined) return true;
  if (isOwn) return /^[a-z][a-z0-9+.-]*$/i.test(scheme) && !isForbidden(scheme);
  return COMMON.has(scheme.toLowerCase());
}
