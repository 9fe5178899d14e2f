/** Rules for redirect URIs (RFC 6749 §3.1.2, RFC 8252 §7, RFC 9700 §2.1). */
import { isIP } from 'node:net';
import { isRefusedScheme } from '../redirect/schemes.ts';

const MAX_LENGTH = 2048;
/**
 * Visible ASCII except the comma, which separates URIs in the database, and the backslash, which browsers read
 * as a slash.
 */
const PLAIN = /^[!-+\--[\]-~]+$/;

/** Returns why a redirect URI is invalid, or undefined if it is valid. */
export function redirectUriError(uri: string): string | undefined {
  if (uri.length > MAX_LENGTH) return `must not be longer than ${MAX_LENGTH} characters`;
  if (!PLAIN.test(uri)) return 'must consist of visible ASCII characters without commas and backslashes';
  if (!URL.canParse(uri)) return 'must be an absolute URI';
  if (uri.includes('#')) return 'must not have a fragment';
  const url = new URL(uri);
  if (url.username !== '' || url.password !== '') return 'must not have a user name or password';
  if (url.protocol === 'https:') return undefined;
  if (url.protocol === 'http:')
    return isLoopback(url) ? undefined : 'must use https unless its host is a loopback address';
  return schemeError(url, uri);
}

/** Custom scheme of a native app. A bare scheme without a remainder is no URI to return to. */
function schemeError({ protocol }: URL, uri: string): string | undefined {
  if (isRefusedScheme(protocol)) return 'has a scheme that is not allowed';
  return uri.length > protocol.length ? undefined : 'must be an absolute URI';
}

function isLoopback({ hostname }: URL): boolean {
  if (hostname === 'localhost' || hostname === '[::1]') return true;
  return isIP(hostname) === 4 && hostname.startsWith('127.');
}
