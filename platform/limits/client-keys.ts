/** The keys under which a client is counted. */
import { networksOf } from './network.ts';

/** The identity of a client, according to its request. */
interface ClientIdentity {
  /** `sub` of the verified token; undefined for anonymous requests. */
  account?: string | undefined;
  /** IP address of the visitor. */
  address: string;
}

/**
 * Returns the keys under which limits count a client: its account if it has signed in, otherwise the networks of its
 * address.
 */
export function clientKeys({ account, address }: ClientIdentity): readonly string[] {
  if (account !== undefined) return [`user:${account}`];
  return networksOf(address).map((network) => `net:${network}`);
}
