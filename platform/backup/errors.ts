/** The error of all operations on an archive. */

/**
 * Why an operation on an archive failed:
 * - `missing`: a blob does not exist
 * - `damaged`: a blob exists, but its bytes are not those that were written
 * - `wrongKey`: the passphrase or identity does not fit the archive
 * - `unavailable`: the place does not respond or responds with a transient error; a retry may succeed
 * - `full`: the place has no space left
 * - `busy`: another process holds the lease
 * - `refused`: the request cannot succeed without a change by the operator (credentials, names, versions, settings)
 */
export type ArchiveErrorKind =
  | 'missing'
  | 'damaged'
  | 'wrongKey'
  | 'unavailable'
  | 'full'
  | 'busy'
  | 'refused';

/** An operation on an archive failed. The message names the blob or the place, and the way out. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError';
  readonly kind: ArchiveErrorKind;

  constructor(kind: ArchiveErrorKind, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.kind = kind;
  }
}

/** Whether an error is an `ArchiveError` of this kind. */
export function isArchiveError(error: unknown, kind: ArchiveErrorKind): error is ArchiveError {
  return error instanceof ArchiveError && error.kind === kind;
}
