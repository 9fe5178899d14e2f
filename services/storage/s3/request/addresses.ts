/** By what names a client may have called this server: it has signed one of them, and proxies change them. */
import type { Headers } from '../signature/sent-signature.ts';
import type { Address } from '../signature/verify.ts';

/** Longer prefixes are ignored: they are tried before the sender is known. */
const MAX_PREFIX_LENGTH = 1024;

/**
 * The host that arrived, then what proxies say, then where the API is said to be from outside. It does no harm to try them
 * all: whoever can sign one can sign each.
 * @param externalUrl of the API, without a path of a service
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
  const host = first(headers['x-forwarded-host']);
  if (host === undefined) return [];
  const port = first(headers['x-forwarded-port']);
  return port === undefined ? [host] : [host, `${host.replace(/:\d+$/, '')}:${port}`];
}

function addressOf({ host, pathname }: URL): Address {
  return { host, pathPrefix: withoutSlash(pathname) };
}

/** Of a list, the one that the client itself has used. */
function first(values: readonly string[] | undefined): string | undefined {
  return values?.[0]?.split(',')[0]?.trim().toLowerCase();
}

/** Not a regular expression: `/\/+$/` takes time in the square of the slashes in front of another character. */
function withoutSlash(path: string): string {
  let end = path.length;
  while (end > 0 && path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}
