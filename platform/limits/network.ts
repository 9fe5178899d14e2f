/** IP addresses and networks under which limits count clients. */
import { isIPv4, isIPv6 } from 'node:net';

const IPV4_MAPPED = /^::ffff:(?=\d+\.)/i;
const GROUPS = 8;
const GROUP_BITS = 16;
/**
 * Prefix lengths of the networks under which an IPv6 client is counted, narrowest first. A subscriber holds a /64 at
 * least, usually a /56, and can get a /48 (RFC 6177), so counting single addresses would limit no client.
 */
const PREFIX_LENGTHS = [64, 56, 48] as const;

/** Whether an address is a loopback address (RFC 1122 §3.2.1.3, RFC 4291 §2.5.3). */
export function isLoopback(address: string): boolean {
  const plain = address.replace(IPV4_MAPPED, '');
  return plain === '::1' || (isIPv4(plain) && plain.startsWith('127.'));
}

/**
 * Returns the networks under which an address is counted, narrowest first: for an IPv4 address itself, for an IPv6
 * address its /64, /56 and /48. A text that is not an address is counted as itself.
 */
export function networksOf(address: string): readonly string[] {
  const plain = address.replace(IPV4_MAPPED, '');
  if (!isIPv6(plain)) return [plain];
  const groups = groupsOf(plain);
  return PREFIX_LENGTHS.map((bits) => networkOf(groups, bits));
}

/** Returns the widest network under which an address is counted: the same text for all addresses of an IPv6 /48. */
export function widestNetworkOf(address: string): string {
  return networksOf(address).at(-1) ?? address;
}

function networkOf(groups: readonly number[], bits: number): string {
  const significant = groups.slice(0, Math.ceil(bits / GROUP_BITS));
  const unusedBits = significant.length * GROUP_BITS - bits;
  const masked = significant.map((group, index) =>
    index === significant.length - 1 ? (group >> unusedBits) << unusedBits : group,
  );
  return `${masked.map((group) => group.toString(16)).join(':')}::/${bits}`;
}

/** Returns the eight 16-bit groups of an IPv6 address; an embedded IPv4 address counts as two. */
function groupsOf(address: string): readonly number[] {
  const [head = '', tail] = (address.split('%', 1)[0] ?? '').split('::');
  const before = parseGroups(head);
  const after = tail === undefined ? [] : parseGroups(tail);
  const zeros = Array.from({ length: Math.max(0, GROUPS - before.length - after.length) }, () => 0);
  return [...before, ...zeros, ...after];
}

function parseGroups(text: string): number[] {
  if (text === '') return [];
  return text.split(':').flatMap((group) => {
    if (!group.includes('.')) return [Number.parseInt(group, 16)];
    const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number);
    return [(a << 8) | b, (c << 8) | d];
  });
}
