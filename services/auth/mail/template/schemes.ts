/** URL schemes in mails. */

/** Schemes that external values may have. */
const COMMON = new Set(['http', 'https', 'mailto']);
/** Schemes that no value may have, because their URLs contain code or data or refer to local content. */
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

/**
 * Whether outputs after a scheme are forbidden. Browsers ignore blanks before a scheme, and tabs and line breaks within
 * it.
 */
export function isForbidden(scheme: string): boolean {
  return FORBIDDEN.has(scheme.replace(/[\0-\x20]/g, '').toLowerCase());
}

/**
 * Whether a URL has an allowed scheme, or none. Compares the scheme without unescaping, so that no encoding can hide
 * one.
 * @param isTrusted the service created or allowed the URL; it may then have the custom scheme of an app
 */
export function hasAllowedScheme(url: string, isTrusted: boolean): boolean {
  const [, scheme] = /^([^/?#:]*):/.exec(url) ?? [];
  if (scheme === undefined) return true;
  if (isTrusted) return /^[a-z][a-z0-9+.-]*$/i.test(scheme) && !isForbidden(scheme);
  return COMMON.has(scheme.toLowerCase());
}
