/** Limits metadata that clients choose: lists and backups read the metadata of many objects at once. */
import { failure } from '../errors.ts';

/** S3 stores accept 2 KB of both values together. */
const MAX_BYTES = 1000;

/** Metadata of content that is sent as headers. Rows that were written by SQL may have other values. */
interface HeaderMetadata {
  mimeType: unknown;
  cacheControl: unknown;
}

/** Checks the lengths of values. Throws InvalidRequest. */
export function requireShortMetadata({ mimeType, cacheControl }: HeaderMetadata): void {
  requireShort('content type', mimeType);
  requireShort('cache control', cacheControl);
}

function requireShort(name: string, value: unknown): void {
  if (typeof value === 'string' && Buffer.byteLength(value) > MAX_BYTES)
    throw failure('InvalidRequest', { message: `The ${name} has more than ${MAX_BYTES} bytes` });
}
