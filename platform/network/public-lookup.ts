/** Name resolution for URLs that users of the API supply: returns public addresses only. */
import { type LookupAddress, lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { isPrivateAddress } from './private-address.ts';

/** The host of a URL is this machine or in a private network. */
export class PrivateAddressError extends Error {
  override name = 'PrivateAddressError';

  constructor() {
    super('its host is not public');
  }
}

/** Throws {@link PrivateAddressError} if the host is a private IP address, because those are not looked up. */
export function rejectPrivateHost({ hostname }: URL): void {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0 && isPrivateAddress(host)) throw new PrivateAddressError();
}

/**
 * Creates a name resolution for connections, which fails with {@link PrivateAddressError} unless all addresses of a name are
 * allowed. The connection uses the checked addresses, because a second lookup may return others.
 */
export function createLookup(isAllowed: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      if (error !== null) return callback(error, '');
      if (!addresses.every(({ address }) => isAllowed(address)))
        return callback(new PrivateAddressError(), '');
      if (options.all) return callback(null, addresses);
      const [first] = addresses;
      callback(null, first?.address ?? '', first?.family ?? 0);
    });
  };
}

/** Resolves a name for a connection. Fails with {@link PrivateAddressError} if one of its addresses is private. */
export const lookupPublic = createLookup((address) => !isPrivateAddress(address));
