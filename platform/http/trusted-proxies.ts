/** The reverse proxies whose headers are trusted. */
import { BlockList, isIPv6 } from 'node:net';

/**
 * Returns a function that checks whether an address belongs to a trusted proxy.
 * @param proxies addresses and CIDR ranges
 */
export function trustedProxyCheck(proxies: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const proxy of proxies) {
    const [address = '', prefix] = proxy.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return (address) => list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}
