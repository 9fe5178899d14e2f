/** Stands for `@std/encoding`, with the parts that functions use. */
export { decodeBase64, encodeBase64 } from './base64.ts';
export { decodeBase64Url, encodeBase64Url } from './base64url.ts';
export { decodeHex, encodeHex } from './hex.ts';
