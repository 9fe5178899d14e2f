/** What is particular to a chain: how its addresses are written, and how its wallets sign. */

/** A chain that people can sign in with. */
export interface Chain {
  /** As wallets write it in messages. */
  name: 'Ethereum' | 'Solana';
  /** Whether a message must name the network. */
  needsChainId: boolean;
  isChainId(text: string): boolean;
  /** The one form of an address that stands for its account, or undefined where it is no address. */
  parseAddress(text: string): string | undefined;
  /** All forms in which an address may have been stored before. @param address in its canonical form */
  formsOf(address: string): string[];
  /** The bytes of a signature. Throws `validation_failed` where it cannot be one. */
  readSignature(text: string): Uint8Array;
  /** Whether the account of `address` has signed `message`. @param signature as {@link readSignature} gives it */
  isSignedBy(address: string, message: string, signature: Uint8Array): boolean;
}
