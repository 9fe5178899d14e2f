/** Whom a request is counted against. */
import { networksOf } from './network.ts';

/** A client as a request shows it. */
interface ClientIdentity {
  /** `sub` of the verified token; undefined for anonymous requests. */
  account?: string | undefined;
  /** IP address of the visitor. */
  address: string;
}

/** The keys that limits count a client under: its account where it is signed in, else the networks of its address. */
export function clientKeys({ account, address }: ClientIdentity): readonly string[] {
  if (account !== undefined) return [`user:${account}`];
  return networksOf(address).map((network) => `net:${network}`);
}
