/** Quotes names for SQL. All names in SQL of the admin area pass through here. */

/** Returns a name as a quoted identifier. Throws `RangeError` for a name that PostgreSQL cannot store. */
export function quoteIdentifier(name: string): string {
  if (name === '' || name.includes('\0'))
    throw new RangeError('A name must have characters, and no zero byte.');
  return `"${name.replaceAll('"', '""')}"`;
}

/** Returns `"schema"."name"`. Throws like {@link quoteIdentifier}. */
export function quoteQualified(schema: string, name: string): string {
  return `${quoteIdentifier(schema)}.${quoteIdentifier(name)}`;
}
