/** What an answer of storage means for people. Pure. */
import type { FilesProblem } from './files-data.ts';

/** An error of the official client, or of a resumable upload. Without an answer there is no status. */
export interface StorageFailure {
  message?: string;
  /** HTTP's; storage says most things with 400, and what it means beside it. */
  status?: number | undefined;
  statusCode?: string | undefined;
}

/** One of our words for it. What may work later is `unreachable`. */
export function problemOf({ message = '', status = 0, statusCode }: StorageFailure): FilesProblem {
  const code = Number(statusCode) || status;
  if (code === 413) return 'tooLarge';
  if (code === 415) return 'wrongType';
  if (code === 409) return 'nameTaken';
  if (code === 404) return /bucket/i.test(message) ? 'notSetUp' : 'gone';
  // 401: the token has run out, and a new one is on its way. 423: another request holds the upload.
  const mayWorkLater =
    code === 0 || code === 401 || code === 408 || code === 423 || code === 429 || code >= 500;
  // A token that has just run out is told like one that is wrong.
  return mayWorkLater || /jwt expired|"exp" claim/i.test(message) ? 'unreachable' : 'refused';
}
