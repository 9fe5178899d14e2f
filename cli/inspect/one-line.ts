/** Returns a text with single blanks in place of line breaks and other white space. */
export function onOneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
