/** Solana wallets: accounts are Ed25519 public keys in base58. */
import { ed25519 } from '@noble/curves/ed25519.js';
import { base58 } from '@scure/base';
import { failure } from '../../errors.ts';
import type { Chain } from './chain.ts';

const ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;
const KEY_BYTES = 32;
/** 64 bytes in either base64 alphabet, with or without padding. */
const SIGNATURE = /^[A-Za-z0-9+/_-]{86}(?:==)?$/;
const NETWORKS = new Set(['mainnet', 'testnet', 'devnet', 'localnet']);

export const solana: Chain = {
  name: 'Solana',
  needsChainId: false,
  isChainId: (text) => NETWORKS.has(text.replace(/^solana:/, '')),
  parseAddress: (text) => (ADDRESS.test(text) && base58.decode(text).length === KEY_BYTES ? text : undefined),
  addressForms: (address) => [address],
  readSignature,
  isSignedBy,
};

function readSignature(text: string): Uint8Array {
  if (!SIGNATURE.test(text)) {
    const message = 'signature must be 64 bytes encoded as base64 with or without padding';
    throw failure('validation_failed', { message });
  }
  return Buffer.from(text, 'base64');
}

/** Strict RFC 8032: rejects keys and signatures on which verifiers may disagree. */
function isSignedBy(address: string, message: string, signature: Uint8Array): boolean {
  return ed25519.verify(signature, Buffer.from(message), base58.decode(address), { zip215: false });
}
