/** Wallets for tests: keys, and signatures of messages. */
import { generateKeyPairSync, sign } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { base58 } from '@scure/base';

/** A wallet with one account. */
export interface Wallet {
  chain: 'ethereum' | 'solana';
  address: string;
  /** The signature as in requests: hexadecimal, or base64. */
  sign(message: string): string;
}

/** An Ethereum account; its address is in lower case. */
export function ethereumWallet(): Wallet {
  const { secretKey, publicKey } = secp256k1.keygen();
  const point = secp256k1.Point.fromBytes(publicKey).toBytes(false);
  const address = `0x${Buffer.from(keccak_256(point.subarray(1)).subarray(-20)).toString('hex')}`;
  return { chain: 'ethereum', address, sign: (message) => personalSign(message, secretKey) };
}

function personalSign(message: string, secretKey: Uint8Array): string {
  const bytes = Buffer.from(message);
  const digest = keccak_256(
    Buffer.concat([Buffer.from(`\x19Ethereum Signed Message:\n${bytes.length}`), bytes]),
  );
  const [recovery = 0, ...rs] = secp256k1.sign(digest, secretKey, { prehash: false, format: 'recovered' });
  return `0x${Buffer.from([...rs, recovery + 27]).toString('hex')}`;
}

/** A Solana account. */
export function solanaWallet(): Wallet {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const raw = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url');
  return {
    chain: 'solana',
    address: base58.encode(raw),
    sign: (message) => sign(null, Buffer.from(message), privateKey).toString('base64'),
  };
}

/** Fields that override those of a valid message; null omits a field. */
export interface MessageParts {
  domain?: string;
  address?: string;
  statement?: string | null;
  uri?: string | null;
  version?: string | null;
  chainId?: string | null;
  nonce?: string | null;
  issuedAt?: string | null;
  expiresAt?: string;
  notBefore?: string;
  requestId?: string;
  resources?: string[];
}

/** A message to sign in at `http://localhost:3000`, in the order of EIP-4361. */
export function signInMessage({ chain, address }: Wallet, parts: MessageParts = {}): string {
  const name = chain === 'ethereum' ? 'Ethereum' : 'Solana';
  const { statement = 'Welcome', resources = [] } = parts;
  const fields = Object.entries({
    URI: valueOr(parts.uri, 'http://localhost:3000/welcome'),
    Version: valueOr(parts.version, '1'),
    'Chain ID': valueOr(parts.chainId, chain === 'ethereum' ? '1' : 'mainnet'),
    Nonce: valueOr(parts.nonce, '32891756'),
    'Issued At': valueOr(parts.issuedAt, new Date().toISOString()),
    'Expiration Time': parts.expiresAt,
    'Not Before': parts.notBefore,
    'Request ID': parts.requestId,
  }).flatMap(([key, value]) => (value == null ? [] : [`${key}: ${value}`]));
  return [
    `${parts.domain ?? 'localhost:3000'} wants you to sign in with your ${name} account:`,
    parts.address ?? address,
    '',
    ...(statement === null ? [] : [statement, '']),
    ...fields,
    ...(resources.length === 0 ? [] : ['Resources:', ...resources.map((uri) => `- ${uri}`)]),
  ].join('\n');
}

function valueOr(value: string | null | undefined, otherwise: string): string | null {
  return value === undefined ? otherwise : value;
}
