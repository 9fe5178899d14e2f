/** Supported chains. */
import type { Chain } from './chain.ts';
import { ethereum } from './ethereum.ts';
import { solana } from './solana.ts';

/** By their names in requests. */
export const chains = { ethereum, solana } as const satisfies Record<string, Chain>;

/** Name of a chain in requests and identity ids. */
export type ChainName = keyof typeof chains;

export function isChainName(name: string): name is ChainName {
  return Object.hasOwn(chains, name);
}
