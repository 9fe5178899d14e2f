/** The mark with which some editors begin a file in UTF-8. It is no part of the secret in the file. */
export const BYTE_ORDER_MARK = '\u{FEFF}';

/** Returns a secret without the mark. */
export function withoutMark(secret: string): string {
  return secret.startsWith(BYTE_ORDER_MARK) ? secret.slice(BYTE_ORDER_MARK.length) : secret;
}
