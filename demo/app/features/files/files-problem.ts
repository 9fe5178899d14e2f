/** Translates storage's errors to problems of the page. Pure. */
import type { FilesProblem } from './files-data.ts';

/** An error of the official client, or of a resumable upload. It has no status if there was no response. */
export interface StorageFailure {
  message?: string;
  /** HTTP status. Storage often sends 400, and the actual status as `statusCode`. */
  status?: number | undefined;
  statusCode?: string | undefined;
}

/** Returns the problem. Errors that may disappear on a retry are `unreachable`. */
export function problemOf({ message = '', status = 0, statusCode }: StorageFailure): FilesProblem {
  const code = Number(statusCode) || status;
  if (code === 413) return 'tooLarge';
  if (code === 415) return 'wrongType';
  if (code === 409) return 'nameTaken';
  if (code === 404) return /bucket/i.test(message) ? 'notSetUp' : 'gone';
  // 401: the token has expired, and a new one is being fetched. 423: another request holds the lock of the
  // upload.
  const isTemporary =
    code === 0 || code === 401 || code === 408 || code === 423 || code === 429 || code >= 500;
  // Storage reports an expired token like an invalid one.
  return isTemporary || /jwt expired|"exp" claim/i.test(message) ? 'unreachable' : 'refused';
}
