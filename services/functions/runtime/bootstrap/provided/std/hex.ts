/** Stands for `encoding/hex` of Deno's standard library, under its former and present names. */
import { bytesOf, type Data } from './bytes.ts';

/** Returns data as hexadecimal digits. */
export function encodeHex(data: Data): string {
  return Array.from(bytesOf(data), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Returns the bytes of hexadecimal digits. Throws if they are not valid. */
export function decodeHex(text: string): Uint8Array {
  if (text.length % 2 !== 0) throw new RangeError('the number of hexadecimal digits is odd');
  if (!/^[\da-f]*$/i.test(text))
    throw new TypeError('the text has characters that are not hexadecimal digits');
  return Uint8Array.from(text.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16));
}

/** Formerly, bytes of digits. */
export function encode(data: Uint8Array): Uint8Array {
  return new TextEncoder().encode(encodeHex(data));
}

/** Formerly, from bytes of digits. */
export function decode(digits: Uint8Array): Uint8Array {
  return decodeHex(new TextDecoder().decode(digits));
}

export { decodeHex as decodeString, encodeHex as encodeToString };
