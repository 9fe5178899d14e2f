/**
 * The catalogue type: code → allowed statuses and default message. A code that is not declared does not compile,
 * a status that is not declared for its code fails at once.
 */

/** One declared error. Where a code is answered with several statuses, the first is the default. */
export interface CatalogueEntry {
  status: number | readonly number[];
  message: string;
}

/** What may be said about one occurrence. `cause` goes to the log and never to the client. */
interface Occurrence {
  message?: string;
  status?: number;
  cause?: unknown;
  /** Further public fields that the service's error shape knows, e.g. `weak_password`. */
  extra?: Record<string, unknown>;
  /** Of the answer. */
  headers?: Record<string, string>;
}

/** A refusal that a client is meant to see: `code`, HTTP `status` and `message` are public. */
export class CatalogueError extends Error {
  override readonly name = 'CatalogueError';
  readonly code: string;
  readonly status: number;
  readonly extra: Record<string, unknown> | undefined;
  readonly headers: Record<string, string> | undefined;

  constructor(code: string, status: number, message: string, occurrence: Occurrence = {}) {
    super(message, occurrence.cause === undefined ? undefined : { cause: occurrence.cause });
    this.code = code;
    this.status = status;
    this.extra = occurrence.extra;
    this.headers = occurrence.headers;
  }
}

/**
 * Declares a catalogue and returns the function that makes its errors.
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
