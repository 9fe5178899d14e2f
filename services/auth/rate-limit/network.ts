/** What an IP address says about who is behind it. */
import { isIPv6 } from 'node:net';

const IPV4_MAPPED = /^::ffff:(?=\d+\.)/i;
const GROUPS = 8;
/** One customer gets at least a /64 (RFC 6177): 2^64 addresses are no more than one. */
const NETWORK_GROUPS = 4;

/** Whether an address is one of this machine's own (RFC 1122 §3.2.1.3, RFC 4291 §2.5.3). */
export function isLoopback(address: string): boolean {
  return address === '::1' || address.replace(IPV4_MAPPED, '').startsWith('127.');
}

/** The key under which addresses of one client are counted: an IPv4 address, or an IPv6 /64. */
export function networkOf(address: string): string {
  const plain = address.replace(IPV4_MAPPED, '');
  if (!isIPv6(plain)) return plain;
  const [head = '', tail] = plain.split('%', 1)[0]?.split('::') ?? [];
  const before = groupsOf(head);
  const after = tail === undefined ? [] : groupsOf(tail);
  const zeros = Array.from({ length: Math.max(0, GROUPS - before.length - after.length) }, () => '0');
  const groups = [...before, ...zeros, ...after].slice(0, NETWORK_GROUPS);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}

function groupsOf(text: string): string[] {
  return text === '' ? [] : text.split(':');
}
