/** Examples of EIP-55 and web3.js, and invalid signatures. */
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { describe, expect, it } from 'vitest';
import { ethereumWallet, solanaWallet } from '../../testing/wallets.ts';
import { chains } from './chains.ts';

const { ethereum, solana } = chains;

describe('an address of Ethereum', () => {
  it.each([
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
    '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
    '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
  ])('%s is one account in any case, but invalid with a wrong checksum', (address) => {
    const lower = address.toLowerCase();
    expect(ethereum.parseAddress(address)).toBe(lower);
    expect(ethereum.parseAddress(lower)).toBe(lower);
    expect(ethereum.parseAddress(`0x${lower.slice(2).toUpperCase()}`)).toBe(lower);
    expect(ethereum.addressForms(lower)).toEqual([lower, address]);
    const index = address.search(/[a-f]/);
    const wrong = address.slice(0, index) + address[index]?.toUpperCase() + address.slice(index + 1);
    expect(ethereum.parseAddress(wrong)).toBeUndefined();
  });
});

describe('a signature of Ethereum', () => {
  const SIGNATURE =
    '0xb91467e570a6466aa9e9876cbcd013baba02900b8979d43fe208a4a4f339f5fd6007e74cd82e037b800186422fc2da167c747ef045e5d18a5f5d4300f8e1a0291c';
  const ADDRESS = '0x2c7536e3605d9c16a7a3d7b1898e529396a65c23';
  const isSigned = (signature: string, message = 'Some data', address = ADDRESS) =>
    ethereum.isSignedBy(address, message, ethereum.readSignature(signature));

  it('matches personal_sign, with v as 28 or 1', () => {
    expect(isSigned(SIGNATURE)).toBe(true);
    expect(isSigned(SIGNATURE.replace(/1c$/, '01'))).toBe(true);
  });

  it('covers the length in bytes, not characters', () => {
    const { address, sign } = ethereumWallet();
    expect(isSigned(sign('größer 😀'), 'größer 😀', address)).toBe(true);
  });

  it('has only one valid form', () => {
    const n = secp256k1.Point.CURVE().n;
    const s = BigInt(`0x${SIGNATURE.slice(66, 130)}`);
    const complement = `${SIGNATURE.slice(0, 66)}${(n - s).toString(16).padStart(64, '0')}1b`;
    expect(isSigned(complement)).toBe(false);
  });

  it.each([
    ['of another message', SIGNATURE, 'Some date', ADDRESS],
    ['of another account', SIGNATURE, 'Some data', `0x${'1'.repeat(40)}`],
    ['with another v', SIGNATURE.replace(/1c$/, '1b'), 'Some data', ADDRESS],
    ['with an undefined v', SIGNATURE.replace(/1c$/, 'ff'), 'Some data', ADDRESS],
    ['of zeroes', `0x${'0'.repeat(130)}`, 'Some data', ADDRESS],
    ['outside of the curve', `0x${'f'.repeat(128)}1b`, 'Some data', ADDRESS],
  ])('is invalid %s', (_, signature, message, address) => {
    expect(isSigned(signature, message, address)).toBe(false);
  });
});

describe('a signature of Solana', () => {
  const { address, sign } = solanaWallet();
  const isSigned = (signature: string, message = 'Some data', by = address) =>
    solana.isSignedBy(by, message, solana.readSignature(signature));

  it('may use either base64 alphabet, padded or not', () => {
    const padded = sign('Some data');
    for (const form of [
      padded,
      padded.replace(/=+$/, ''),
      Buffer.from(padded, 'base64').toString('base64url'),
    ]) {
      expect(isSigned(form)).toBe(true);
    }
  });

  it.each([
    ['of another message', sign('Some date'), address],
    ['of another account', sign('Some data'), solanaWallet().address],
    ['of zeroes', 'A'.repeat(86), address],
    [
      'of a key that fits every message',
      `AQ${'A'.repeat(84)}`,
      '4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM',
    ],
    ['of a key that is not a curve point', sign('Some data'), '11111111111111111111111111111113'],
  ])('is invalid %s', (_, signature, by) => {
    expect(isSigned(signature, 'Some data', by)).toBe(false);
  });
});

it.each([
  ['ethereum', ''],
  ['ethereum', 'ab'.repeat(65)],
  ['ethereum', `0x${'ab'.repeat(64)}`],
  ['ethereum', `0x${'zz'.repeat(65)}`],
  ['solana', 'A'.repeat(85)],
  ['solana', 'A'.repeat(88)],
  ['solana', `${'*'.repeat(86)}==`],
] as const)('rejects a malformed signature: %s %s', (chain, signature) => {
  expect(() => chains[chain].readSignature(signature)).toThrow(
    expect.objectContaining({ code: 'validation_failed', status: 400 }),
  );
});
