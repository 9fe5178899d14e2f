/** Returns a name for the terminal: control characters are escaped, so that a name can neither change it nor add a line. */
export function printable(name: string): string {
  return name.replace(
    /\p{Cc}|[\u2028\u2029]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Prints a line about the progress on the standard error. */
export function printProgress(text: string): void {
  process.stderr.write(`${printable(text)}\n`);
}
