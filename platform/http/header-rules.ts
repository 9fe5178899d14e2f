/** Rejects requests by their headers before anything parses them. */
import { limits } from './limits.ts';

/** Headers that contain tokens or metadata. Only the limit of all headers together applies to them. */
const LONG_HEADERS = new Set([
  'apikey',
  'authorization',
  'cookie',
  'upload-metadata',
  'x-amz-security-token',
  'x-metadata',
]);

/** Headers that browsers add to every request of a site, also where nothing reads them. */
const UNREAD_HEADERS = new Set(['cookie']);

/**
 * Returns the reason to reject headers: several `Host` headers, because a proxy in front may have routed by a different
 * one than Node.js reads (RFC 9112 §3.2), or a value that is too long, because services would split and compare the
 * lists in it.
 * @param rawHeaders names and values alternately, as Node.js received them
 * @param maxBytes limit of the route, which reads no cookies, for all other headers
 */
export function headerRejection(
  rawHeaders: readonly string[],
  maxBytes?: number,
): 'several_hosts' | 'headers_too_large' | undefined {
  const exempt = maxBytes === undefined ? LONG_HEADERS : UNREAD_HEADERS;
  const limit = maxBytes ?? limits.headerValueBytes;
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
    const { length } = rawHeaders[index + 1] ?? '';
    if (length > limit && !exempt.has(name.toLowerCase())) return 'headers_too_large';
  }
  return hosts > 1 ? 'several_hosts' : undefined;
}
