/** Converts ECDSA signatures from OpenSSL's format to that of tokens. */

/** Length of each of the two numbers, for curve P-256. */
const NUMBER_BYTES = 32;

/**
 * Converts a signature of curve P-256 from DER to the format of tokens: both numbers concatenated, each in 32 bytes
 * (RFC 7518 §3.4). In DER they are
 *   Ecdsa-Sig-Value ::= SEQUENCE { r INTEGER, s INTEGER }   (RFC 3279 §2.2.3)
 * where an INTEGER has no leading zero bytes, except for one if its first bit is set (X.690 §8.3). All lengths here are
 * below 128 and so one byte each.
 */
export function joseSignature(der: Uint8Array): Buffer {
  const signature = Buffer.alloc(2 * NUMBER_BYTES);
  const lengthOfR = der[3] ?? 0;
  const startOfS = 4 + lengthOfR + 2;
  writeNumber(der.subarray(4, 4 + lengthOfR), signature.subarray(0, NUMBER_BYTES));
  writeNumber(der.subarray(startOfS, startOfS + (der[startOfS - 1] ?? 0)), signature.subarray(NUMBER_BYTES));
  return signature;
}

function writeNumber(integer: Uint8Array, target: Buffer): void {
  const digits = integer.length > NUMBER_BYTES ? integer.subarray(integer.length - NUMBER_BYTES) : integer;
  target.set(digits, NUMBER_BYTES - digits.length);
}
