/** Determines the addresses that a client may have signed: proxies change host and path. */
import type { Headers } from '../signature/sent-signature.ts';
import type { Address } from '../signature/verify.ts';

/** Longer prefixes are ignored, because they are used before the sender is authenticated. */
const MAX_PREFIX_LENGTH = 1024;

/**
 * Returns the received host, the hosts in forwarding headers, and the configured external URL. Trying all of them is
 * safe, because a client that can sign for one address can sign for any.
 *
 * @param externalUrl of the API, without the path of a service
 */
export function addressesOf(headers: Headers, externalUrl: string): Address[] {
  const prefix = prefixOf(headers);
  const hosts = [headers.host?.[0] ?? '', ...forwardedHosts(headers)];
  const addresses = hosts.map((host) => ({ host, pathPrefix: '' }));
  if (prefix !== '') addresses.push(...hosts.map((host) => ({ host, pathPrefix: prefix })));
  return [...addresses, addressOf(new URL(externalUrl))];
}

function prefixOf(headers: Headers): string {
  const prefix = headers['x-forwarded-prefix']?.[0] ?? '';
  return prefix.length > MAX_PREFIX_LENGTH ? '' : withoutSlash(prefix);
}

function forwardedHosts(headers: Headers): string[] {
  const host = clientValue(headers['x-forwarded-host']);
  if (host === undefined) return [];
  const port = clientValue(headers['x-forwarded-port']);
  return port === undefined ? [host] : [host, `${host.replace(/:\d+$/, '')}:${port}`];
}

function addressOf({ host, pathname }: URL): Address {
  return { host, pathPrefix: withoutSlash(pathname) };
}

/** Returns the first value of a list, which is the one that the client used. */
function clientValue(values: readonly string[] | undefined): string | undefined {
  return values?.[0]?.split(',')[0]?.trim().toLowerCase();
}

/** Not a regular expression: `/\/+$/` takes quadratic time on many slashes before another character. */
function withoutSlash(path: string): string {
  let end = path.length;
  while (end > 0 && path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}
