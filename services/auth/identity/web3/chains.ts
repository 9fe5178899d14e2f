/** The chains that people can sign in with. */
import type { Chain } from './chain.ts';
import { ethereum } from './ethereum.ts';
import { solana } from './solana.ts';

/** By the names that requests give them. */
export const chains = { ethereum, solana } as const satisfies Record<string, Chain>;

/** The name of a chain in requests and in the ids of identities. */
export type ChainName = keyof typeof chains;

/** Whether there is such a chain. */
export function isChainName(name: string): name is ChainName {
  return Object.hasOwn(chains, name);
}
