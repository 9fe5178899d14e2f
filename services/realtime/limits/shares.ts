/** How much of a client's limit each of its keys gets. Pure. */

/**
 * A client has one key, or those of its IPv6 networks. A /48 counts as one client; the narrower networks get less, so
 * that one household cannot use up the allowance of all the others in its /48.
 */
const NARROW_SHARES = [
  ['::/64', 0.5],
  ['::/56', 0.75],
] as const;

/** The share of a limit that `key` may use: 1, or less for a narrow IPv6 network. */
export function shareOf(key: string): number {
  return NARROW_SHARES.find(([suffix]) => key.endsWith(suffix))?.[1] ?? 1;
}

/** Whether a key stands for several IPv6 networks, each of which has a key of its own. */
export function isWide(key: string): boolean {
  return key.endsWith('::/56') || key.endsWith('::/48');
}

/** Why a client is refused: its own limit, or the limit of all clients, of which it uses more than its fair share. */
export type Exhausted = 'client' | 'total';
