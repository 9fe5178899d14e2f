/** The differences between chains: address format and signatures. */

/** A blockchain whose wallets can sign in. */
export interface Chain {
  /** As written in messages. */
  name: 'Ethereum' | 'Solana';
  /** Whether messages must name the network. */
  needsChainId: boolean;
  isChainId(text: string): boolean;
  /** Returns the canonical form of an address, or undefined if the text is not an address. */
  parseAddress(text: string): string | undefined;
  /** Returns all forms of an address that may be stored. @param address in its canonical form */
  addressForms(address: string): string[];
  /** Decodes a signature. Throws `validation_failed` if it is malformed. */
  readSignature(text: string): Uint8Array;
  /** Whether the account of `address` signed `message`. @param signature as returned by {@link readSignature} */
  isSignedBy(address: string, message: string, signature: Uint8Array): boolean;
}
