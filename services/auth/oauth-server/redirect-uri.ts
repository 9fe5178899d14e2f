/** Which addresses an application may be answered at (RFC 6749 §3.1.2, RFC 8252 §7, RFC 9700 §2.1). */
import { isIP } from 'node:net';
import { isRefusedScheme } from '../redirect/schemes.ts';

const MAX_LENGTH = 2048;
/** Visible ASCII without comma, which separates addresses in the database, and backslash, which browsers read as a slash. */
const PLAIN = /^[!-+\--[\]-~]+$/;

/** Says what is wrong with an address, or undefined. */
export function faultOfRedirectUri(uri: string): string | undefined {
  if (uri.length > MAX_LENGTH) return `must not be longer than ${MAX_LENGTH} characters`;
  if (!PLAIN.test(uri)) return 'must be of visible ASCII characters without commas and backslashes';
  if (!URL.canParse(uri)) return 'must be an absolute URI';
  if (uri.includes('#')) return 'must not have a fragment';
  const url = new URL(uri);
  if (url.username !== '' || url.password !== '') return 'must not have a user name or password';
  if (url.protocol === 'https:') return undefined;
  if (url.protocol === 'http:')
    return isLoopback(url) ? undefined : 'must use https unless it is on the loopback';
  return faultOfScheme(url, uri);
}

/** A scheme of a native app's own. Something has to follow it, or there is nothing to come back to. */
function faultOfScheme({ protocol }: URL, uri: string): string | undefined {
  if (isRefusedScheme(protocol)) return 'has a scheme that is not allowed';
  return uri.length > protocol.length ? undefined : 'must be an absolute URI';
}

function isLoopback({ hostname }: URL): boolean {
  if (hostname === 'localhost' || hostname === '[::1]') return true;
  return isIP(hostname) === 4 && hostname.startsWith('127.');
}
