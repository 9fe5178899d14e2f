/** Bytes as the modules of the standard library accept them. */
export type Data = string | ArrayBuffer | Uint8Array;

/** Returns the bytes; those of a string in UTF-8. */
export function bytesOf(data: Data): Uint8Array {
  if (typeof data === 'string') return new TextEncoder().encode(data);
  if (data instanceof Uint8Array) return data;
  if (data instanceof ArrayBuffer) return new Uint8Array(data);
  throw new TypeError('expected a string, an ArrayBuffer or a Uint8Array');
}
