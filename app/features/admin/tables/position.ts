/** A position in the order of rows, as the URL has it: a JSON array of values. */

/**
 * Values of the columns of the order, in their order; or only those of the key, if the value of the sorted column is too long for a
 * URL. The database then looks it up.
 */
export type Position = readonly (string | null)[];

/** Parses a position with one of the numbers of values; undefined if it is invalid. */
export function parsePosition(text: string, lengths: readonly number[]): Position | undefined {
  try {
    const values: unknown = JSON.parse(text);
    if (!Array.isArray(values) || !lengths.includes(values.length)) return undefined;
    return values.every((value) => value === null || (typeof value === 'string' && !value.includes('\0')))
      ? values
      : undefined;
  } catch {
    return undefined;
  }
}

/** Formats a position. */
export function formatPosition(position: Position): string {
  return JSON.stringify(position);
}
