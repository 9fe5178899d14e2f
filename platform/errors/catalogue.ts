/**
 * The type of error catalogues: code → allowed statuses and default message. Using an undeclared code is a compile
 * error, using a status that is not declared for its code throws.
 */

/** One declared error. If a code has several statuses, the first is the default. */
export interface CatalogueEntry {
  status: number | readonly number[];
  message: string;
}

/** Details of one occurrence. `cause` is logged and never sent to the client. */
interface Occurrence {
  message?: string;
  status?: number;
  cause?: unknown;
  /** Further public fields of the service's error format, e.g. `weak_password`. */
  extra?: Record<string, unknown>;
  /** Headers of the response. */
  headers?: Record<string, string>;
  /** Name of the limit that was exceeded, for metrics; never sent to the client. */
  limit?: string;
}

/** An error that is meant for the client: `code`, HTTP `status` and `message` are public. */
export class CatalogueError extends Error {
  override readonly name = 'CatalogueError';
  readonly code: string;
  readonly status: number;
  readonly extra: Record<string, unknown> | undefined;
  readonly headers: Record<string, string> | undefined;
  readonly limit: string | undefined;

  constructor(code: string, status: number, message: string, occurrence: Occurrence = {}) {
    super(message, occurrence.cause === undefined ? undefined : { cause: occurrence.cause });
    this.code = code;
    this.status = status;
    this.extra = occurrence.extra;
    this.headers = occurrence.headers;
    this.limit = occurrence.limit;
  }
}

/**
 * Declares a catalogue and returns the function that creates its errors.
 *
 * @example
 * const failure = defineErrors({ not_found: { status: 404, message: 'Not found' } });
 * throw failure('not_found', { message: 'No bucket named "x"' });
 */
export function defineErrors<const T extends Record<string, CatalogueEntry>>(
  catalogue: T,
): (code: keyof T & string, occurrence?: Occurrence) => CatalogueError {
  return (code, occurrence = {}) => {
    const entry = catalogue[code];
    if (entry === undefined) throw new Error(`error code ${code} is not in the catalogue`);
    const allowed: readonly number[] = typeof entry.status === 'number' ? [entry.status] : entry.status;
    const status = occurrence.status ?? allowed[0];
    if (status === undefined || !allowed.includes(status)) {
      throw new Error(`error ${code} is not declared with status ${status}`);
    }
    return new CatalogueError(code, status, occurrence.message ?? entry.message, occurrence);
  };
}
