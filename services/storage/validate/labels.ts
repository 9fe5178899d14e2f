/**
 * Limits texts of clients in the metadata of an object. They are sent as headers of each download, and listings and backups read
 * them for each object.
 */
import { failure } from '../errors.ts';

const MAX_LENGTH = 1024;

/** Throws InvalidRequest if a text is longer than 1024 characters. */
export function requireLabels(labels: {
  mimeType?: string | undefined;
  cacheControl?: string | undefined;
}): void {
  for (const [name, text] of [
    ['content type', labels.mimeType],
    ['cache control', labels.cacheControl],
  ] as const)
    if (text !== undefined && text.length > MAX_LENGTH)
      throw failure('InvalidRequest', { message: `The ${name} is longer than ${MAX_LENGTH} characters` });
}
