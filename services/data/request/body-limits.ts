/** How much a body may hold, besides its bytes. Bulk inserts of real clients stay far below. */

/** Most rows of one body. PostgreSQL needs about a microsecond for each, even for rows without columns. */
export const MAX_ROWS = 1_000_000;
/** Longest key of a JSON object and longest name of a column in CSV, in bytes. Names in PostgreSQL have at most 63. */
export const MAX_KEY_BYTES = 4096;
/** Most names of columns. No relation has so many columns, so that one of them is wrong. */
export const MAX_NAMES = 2000;
/** How much is read in one step, in bytes: the event loop has its turn in between where a body is large. */
export const STEP_BYTES = 64 * 1024;

/** The body has more than {@link MAX_ROWS} rows. */
export class TooManyRowsError extends Error {
  override readonly name = 'TooManyRowsError';

  constructor() {
    super(`The body has more than ${MAX_ROWS} rows`);
  }
}
