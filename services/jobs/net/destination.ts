/** Decides where a request goes, before it is sent. */
import { isIP } from 'node:net';
import type { AddressRules } from './address-rules.ts';
import { isLoopbackHost } from './allowed-host.ts';
import type { OwnApi } from './own-api.ts';

/** How a request is sent. */
export interface Destination {
  url: URL;
  /**
   * `own`: to the API of the instance. `allowed`: to a host that a setting names. `checked`: to any other host, whose
   * addresses are checked when the connection is opened.
   */
  kind: 'own' | 'allowed' | 'checked';
}

/** The rules do not allow the host of a request. */
export class RefusedAddressError extends Error {
  override readonly name = 'RefusedAddressError';

  constructor(url: URL) {
    const host = bare(url.hostname);
    super(
      `The request was not sent, because ${host} is not public. To allow it: GREENROOM_NET_ALLOWED_HOSTS=${url.hostname}:${portOf(url)}`,
    );
  }
}

/** Returns the destination of a URL. Throws {@link RefusedAddressError}. */
export function destinationOf(url: URL, { rules, own }: { rules: AddressRules; own: OwnApi }): Destination {
  const ownUrl = own.localUrlOf(url);
  if (ownUrl !== undefined) return { url: ownUrl, kind: 'own' };
  const host = bare(url.hostname);
  if (rules.allowsHost(host, portOf(url))) return { url, kind: 'allowed' };
  const isRefused = isIP(host) !== 0 ? !rules.allowsAddress(host) : isLoopbackHost(host);
  if (isRefused) throw new RefusedAddressError(url);
  return { url, kind: 'checked' };
}

function bare(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}

function portOf({ port, protocol }: URL): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
}
