/** Writes rows as CSV (RFC 4180). */

const NEEDS_QUOTES = /[",\r\n]/;

/** Returns the rows with their header. An empty field is null; an empty text has quotes. */
export function toCsv(
  columns: readonly { name: string }[],
  rows: readonly (readonly (string | null)[])[],
): string {
  return [columns.map(({ name }) => name), ...rows]
    .map((row) => `${row.map(fieldOf).join(',')}\r\n`)
    .join('');
}

function fieldOf(field: string | null): string {
  if (field === null) return '';
  return field === '' || NEEDS_QUOTES.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
}
