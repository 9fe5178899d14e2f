/** Limits of a body in addition to its size in bytes. Bulk inserts of real clients stay far below them. */

/** Maximum rows of one body. PostgreSQL needs about a microsecond for each row, even for rows without columns. */
export const MAX_ROWS = 1_000_000;
/** Maximum length of a JSON key or a CSV column name, in bytes. Names in PostgreSQL have at most 63 bytes. */
export const MAX_KEY_BYTES = 4096;
/** Maximum number of column names. No relation has more columns, so a body with more names has an unknown column. */
export const MAX_NAMES = 2000;
/** Bytes that a parser reads per step. The event loop can run between the steps of a large body. */
export const STEP_BYTES = 64 * 1024;

export class TooManyRowsError extends Error {
  override readonly name = 'TooManyRowsError';

  constructor() {
    super(`The body has more than ${MAX_ROWS} rows`);
  }
}
