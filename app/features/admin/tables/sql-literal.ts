/** Literals for SQL that is kept as text, such as SQL that undoes a change. Other SQL has parameters. */

/** Returns a text as a literal that means the same with any setting of the server. Throws `RangeError` for a zero byte. */
export function quoteLiteral(value: string | null): string {
  if (value === null) return 'null';
  if (value.includes('\0')) throw new RangeError('A value must not contain a zero byte.');
  const quoted = value.replaceAll("'", "''");
  return quoted.includes('\\') ? `E'${quoted.replaceAll('\\', '\\\\')}'` : `'${quoted}'`;
}
