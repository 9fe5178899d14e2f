/** Text forms of bytes: PostgreSQL's hex form `\x00ff`, and Base64. */

/** Returns the hex form of bytes. */
export function bytesToHex(bytes: Uint8Array): string {
  return `\\x${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** Parses the hex form; undefined if it is invalid. */
export function hexToBytes(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^\\x([0-9a-f]{2})*$/i.test(text)) return undefined;
  return Uint8Array.from(text.slice(2).match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/** Returns the hex form of a Base64 text; undefined if it is invalid. */
export function base64ToHex(text: string): string | undefined {
  try {
    return bytesToHex(Uint8Array.from(atob(text), (character) => character.charCodeAt(0)));
  } catch {
    return undefined;
  }
}

/** Returns the Base64 form of a hex text; undefined if it is invalid. */
export function hexToBase64(text: string): string | undefined {
  const bytes = hexToBytes(text);
  if (bytes === undefined) return undefined;
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}
