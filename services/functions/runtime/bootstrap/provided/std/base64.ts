/** Stands for `encoding/base64` of Deno's standard library, under its former and present names. */
import { bytesOf, type Data } from './bytes.ts';

/** Characters of one call, because functions have a limited number of arguments. */
const CHUNK = 0x80_00;

/** Returns data in Base64 (RFC 4648, section 4). */
export function encodeBase64(data: Data): string {
  const bytes = bytesOf(data);
  let binary = '';
  for (let start = 0; start < bytes.length; start += CHUNK)
    binary += String.fromCharCode(...bytes.subarray(start, start + CHUNK));
  return btoa(binary);
}

/** Returns the bytes of a text in Base64. Throws if it is not valid. */
export function decodeBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

export { decodeBase64 as decode, encodeBase64 as encode };
