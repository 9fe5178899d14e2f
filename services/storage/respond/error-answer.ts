/** How an error of the catalogue is told over HTTP, but for the S3 protocol and resumable uploads. */
import type { CatalogueError } from '@greenroom/errors';
import { type StorageErrorEntry, storageErrors } from '../errors.ts';

/** In the order in which clients of the hosted service see it. */
interface ErrorBody {
  statusCode: string;
  error: string;
  message: string;
  code: string;
}

/** What the catalogue has to say about an error. */
function entryOf({ code, status, message }: CatalogueError): StorageErrorEntry {
  return (storageErrors as Record<string, StorageErrorEntry>)[code] ?? { status, message };
}

/** Whether the log needs the error: the server failed. A full disk is seen in metrics; each refused upload would repeat it. */
export function isFault({ code, status }: CatalogueError): boolean {
  return status >= 500 && code !== 'InsufficientStorage';
}

/** The code that clients are told. */
export function publicCode(error: CatalogueError): string {
  return entryOf(error).code ?? error.code;
}

/** The answer. Its status is rarely that of the error: clients find that one in the body. */
export function errorAnswer(error: CatalogueError): { status: number; body: ErrorBody } {
  const entry = entryOf(error);
  const code = publicCode(error);
  const body = {
    statusCode: String(error.status),
    error: entry.error ?? code,
    message: error.message,
    code,
  };
  return { status: entry.httpStatus ?? 400, body };
}
