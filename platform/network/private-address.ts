/**
 * Detects addresses that are not on the public internet (IANA's special-purpose registries). Requests to URLs that
 * users supply must not reach them.
 */
import { BlockList, isIPv4 } from 'node:net';

const SUBNETS_4: readonly [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
];

/** The ranges of IPv4, e.g. `10.0.0.0/8`. */
export const PRIVATE_RANGES_4: readonly string[] = SUBNETS_4.map(([address, bits]) => `${address}/${bits}`);

/** Special-purpose ranges within 2000::/3, the global unicast range; some embed IPv4 addresses. */
const SUBNETS_6: readonly [string, number][] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const private4 = new BlockList();
for (const [address, bits] of SUBNETS_4) private4.addSubnet(address, bits, 'ipv4');
const private6 = new BlockList();
for (const [address, bits] of SUBNETS_6) private6.addSubnet(address, bits, 'ipv6');
const global6 = new BlockList();
global6.addSubnet('2000::', 3, 'ipv6');

/** Whether an IP address is not on the public internet. */
export function isPrivateAddress(address: string): boolean {
  if (isIPv4(address)) return private4.check(address, 'ipv4');
  return !global6.check(address, 'ipv6') || private6.check(address, 'ipv6');
}
