/** Paths and values in commands that messages print. */

/** Characters that a shell does not expand; a word that begins with `~` or `=` is quoted as well. */
const PLAIN = /^[A-Za-z0-9_%+:,./@-][A-Za-z0-9_%+:,./@=-]*$/;

/** Returns a text as one word of a POSIX shell: as it is, or in single quotes (POSIX.1-2024, Shell Command Language §2.2.2). */
export function shellWord(text: string): string {
  return PLAIN.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
