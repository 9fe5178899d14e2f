import { generateKeyPairSync, sign, verify } from 'node:crypto';
import { expect, it } from 'vitest';
import { joseSignature } from './jose-signature.ts';

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');
const BYTES = 'ab'.repeat(31);

it.each([
  ['two numbers of full length', `3044 0220 11${BYTES} 0220 22${BYTES}`, `11${BYTES} 22${BYTES}`],
  ['two numbers with a set first bit', `3046 0221 00f1${BYTES} 0221 00f2${BYTES}`, `f1${BYTES} f2${BYTES}`],
  ['a short first number', `3043 021f ${BYTES} 0220 22${BYTES}`, `00${BYTES} 22${BYTES}`],
  ['two short numbers', '3006 0201 01 0201 7f', `${'00'.repeat(31)}01 ${'00'.repeat(31)}7f`],
])('concatenates %s', (_, der, jose) => {
  expect(joseSignature(hex(der))).toEqual(hex(jose));
});

it('returns a valid signature for any numbers', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  // One number in 256 is a byte shorter.
  for (let round = 0; round < 2000; round += 1) {
    const text = Buffer.from(`text ${round}`);
    const signature = joseSignature(sign('sha256', text, privateKey));
    expect(verify('sha256', text, { key: publicKey, dsaEncoding: 'ieee-p1363' }, signature)).toBe(true);
  }
});
