/** Public and local URLs of the app. */
import { isLoopback } from '@greenroom/limits';

/** Whether a URL may be opened on other machines: its host is neither a loopback address nor the name of one. */
export function isPublicUrl(url: string): boolean {
  const hostname = new URL(url).hostname.replace(/^\[|\]$/g, '');
  return !isLoopback(hostname) && hostname !== 'localhost' && !hostname.endsWith('.localhost');
}

/**
 * Returns the URL under which browsers open the app, without a trailing slash. Without a public URL it has `localhost`
 * instead of a loopback address, because browsers allow passkeys for names only (WebAuthn level 3, section 5.1.3).
 * @param baseURL path of the app, with a slash at both ends
 * @param localUrl URL of the server on this machine
 */
export function appUrlOf(
  { publicUrl, baseURL }: { publicUrl: string | undefined; baseURL: string },
  localUrl: string,
): string {
  return (publicUrl === undefined ? namedOrigin(localUrl) : new URL(publicUrl).origin) + baseURL.slice(0, -1);
}

function namedOrigin(localUrl: string): string {
  const url = new URL(localUrl);
  if (url.hostname === '127.0.0.1' || url.hostname === '[::1]') url.hostname = 'localhost';
  return url.origin;
}
