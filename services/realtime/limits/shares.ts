/** The share of a client's limit that each of its keys may use. Pure. */

/**
 * A client has one key, or one for each of its IPv6 networks. A /48 counts as one client. Narrower networks get less,
 * so that one household cannot use up the limit of all others in its /48.
 */
const NARROW_SHARES = [
  ['::/64', 0.5],
  ['::/56', 0.75],
] as const;

/** Returns the share of a limit that `key` may use: 1, or less for a narrow IPv6 network. */
export function shareOf(key: string): number {
  return NARROW_SHARES.find(([suffix]) => key.endsWith(suffix))?.[1] ?? 1;
}

/** Whether a key covers several narrower IPv6 networks, which have keys as well. */
export function isWide(key: string): boolean {
  return key.endsWith('::/56') || key.endsWith('::/48');
}

/** The limit that refuses a client: its own, or that of all clients, of which it uses more than its fair share. */
export type Exhausted = 'client' | 'total';
