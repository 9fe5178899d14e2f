/** PostgreSQL's text form of arrays: `{a,"b c",NULL}`. */

/** Returns a literal of one dimension. */
export function arrayLiteral(values: readonly (string | null)[]): string {
  return `{${values.map((value) => (value === null ? 'NULL' : `"${value.replace(/["\\]/g, '\\$&')}"`)).join(',')}}`;
}

/** Splits a list that a user typed: values between commas, with quotes around values that contain some. */
export function splitList(text: string): string[] {
  const values: string[] = [];
  const part = /\s*(?:"((?:[^"]|"")*)"|([^,]*))\s*(,|$)/y;
  for (let end = ','; end === ','; ) {
    const match = part.exec(text);
    if (match === null) return text.split(',').map((value) => value.trim());
    values.push(match[1]?.replaceAll('""', '"') ?? (match[2] ?? '').trim());
    end = match[3] ?? '';
  }
  return values;
}
