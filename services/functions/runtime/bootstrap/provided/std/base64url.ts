/** Stands for `encoding/base64url` of Deno's standard library, under its former and present names. */
import { decodeBase64, encodeBase64 } from './base64.ts';
import type { Data } from './bytes.ts';

/** Returns data in Base64 for URLs (RFC 4648, section 5), without padding. */
export function encodeBase64Url(data: Data): string {
  return encodeBase64(data).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Returns the bytes of a text in Base64 for URLs. Throws if it is not valid. */
export function decodeBase64Url(text: string): Uint8Array {
  if (!/^[\w-]*={0,2}$/.test(text)) throw new TypeError('the text is not valid Base64 for URLs');
  return decodeBase64(text.replaceAll('-', '+').replaceAll('_', '/'));
}

export { decodeBase64Url as decode, encodeBase64Url as encode };
