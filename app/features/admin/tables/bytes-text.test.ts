import fc from 'fast-check';
import { expect, it } from 'vitest';
import { base64ToHex, bytesToHex, hexToBase64, hexToBytes } from './bytes-text.ts';

it('bytes are the same after each conversion', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      const hex = bytesToHex(bytes);
      expect(hexToBytes(hex)).toEqual(bytes);
      expect(base64ToHex(hexToBase64(hex) ?? '')).toBe(hex);
    }),
  );
});

it('texts in another form are invalid', () => {
  expect([hexToBytes('00ff'), hexToBytes('\\x0'), hexToBase64('text'), base64ToHex('*')]).toEqual(
    Array(4).fill(undefined),
  );
});
