/** Formats errors of the catalogue as HTTP responses, except for the S3 protocol and resumable uploads. */
import type { CatalogueError } from '@greenroom/errors';
import { type StorageErrorEntry, storageErrors } from '../errors.ts';

/** Keys in the order of the hosted service. */
interface ErrorBody {
  statusCode: string;
  error: string;
  message: string;
  code: string;
}

function entryOf({ code, status, message }: CatalogueError): StorageErrorEntry {
  return (storageErrors as Record<string, StorageErrorEntry>)[code] ?? { status, message };
}

/**
 * Whether to log the error as a failure of the server. A full disk is visible in metrics and is not logged for each
 * rejected upload.
 */
export function isServerFault({ code, status }: CatalogueError): boolean {
  return status >= 500 && code !== 'InsufficientStorage';
}

/** Returns the code that clients see. */
export function publicCode(error: CatalogueError): string {
  return entryOf(error).code ?? error.code;
}

/** Builds the response. Its HTTP status usually differs from the error's status, which is in the body. */
export function errorResponse(error: CatalogueError): { status: number; body: ErrorBody } {
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
