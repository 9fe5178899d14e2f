/**
 * Ethereum wallets: accounts that sign with secp256k1. Contract signatures (EIP-1271) are not supported: they
 * would require a node.
 */
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { failure } from '../../errors.ts';
import type { Chain } from './chain.ts';

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
/** r and s, 32 bytes each, and v. */
const SIGNATURE = /^0x[0-9a-fA-F]{130}$/;

export const ethereum: Chain = {
  name: 'Ethereum',
  needsChainId: true,
  isChainId: (text) => /^[1-9]\d{0,77}$/.test(text),
  parseAddress,
  addressForms: (address) => [address, withChecksum(address)],
  readSignature,
  isSignedBy: (address, message, signature) => signerOf(message, signature) === address,
};

/**
 * Returns the address in lower case. The case of its letters is only a checksum (EIP-55), and one account must
 * not become two. Rejects addresses with a wrong checksum.
 */
function parseAddress(text: string): string | undefined {
  if (!ADDRESS.test(text)) return undefined;
  const digits = text.slice(2);
  const address = `0x${digits.toLowerCase()}`;
  const hasChecksum = digits !== digits.toLowerCase() && digits !== digits.toUpperCase();
  return hasChecksum && text !== withChecksum(address) ? undefined : address;
}

/** Returns the address with its EIP-55 checksum. @param address in lower case */
function withChecksum(address: string): string {
  const digits = address.slice(2);
  const digest = Buffer.from(keccak_256(Buffer.from(digits))).toString('hex');
  const isUpper = (index: number) => Number.parseInt(digest[index] ?? '0', 16) >= 8;
  return `0x${[...digits].map((digit, index) => (isUpper(index) ? digit.toUpperCase() : digit)).join('')}`;
}

function readSignature(text: string): Uint8Array {
  if (!SIGNATURE.test(text)) {
    const message =
      'signature must be 65 bytes long, encoded as a 130 character-long hexadecimal string after 0x';
    throw failure('validation_failed', { message });
  }
  return Buffer.from(text.slice(2), 'hex');
}

/** Returns the address whose key signed, or undefined if the signature is invalid. */
function signerOf(message: string, signature: Uint8Array): string | undefined {
  const v = signature[64] ?? 0;
  const recovery = v >= 27 ? v - 27 : v;
  if (recovery > 1) return undefined;
  try {
    const parsed = secp256k1.Signature.fromBytes(signature.subarray(0, 64), 'compact');
    // Wallets produce only the low-s form of a signature (EIP-2).
    if (parsed.hasHighS()) return undefined;
    const key = parsed.addRecoveryBit(recovery).recoverPublicKey(personalDigest(message)).toBytes(false);
    return `0x${Buffer.from(keccak_256(key.subarray(1)).subarray(-20)).toString('hex')}`;
  } catch {
    // The signature matches no point of the curve.
    return undefined;
  }
}

/** Returns the digest that `personal_sign` signs (EIP-191, version 0x45). */
function personalDigest(message: string): Uint8Array {
  const bytes = Buffer.from(message);
  return keccak_256(Buffer.concat([Buffer.from(`\x19Ethereum Signed Message:\n${bytes.length}`), bytes]));
}
