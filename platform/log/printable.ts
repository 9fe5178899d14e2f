/** Text of others for a terminal. */

/** Control characters of C0 and C1, and what Unicode regards as ends of lines. */
const UNPRINTABLE = /\p{Cc}|[\u2028\u2029]/gu;

/**
 * Returns a text whose control characters are visible escapes, so that it can neither change the terminal nor add a line.
 * @param kept characters that stay as they are, e.g. line breaks of a text that has several lines
 */
export function printable(text: string, kept = ''): string {
  return text.replace(UNPRINTABLE, (character) =>
    kept.includes(character) ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
