/** Free-form data about a user, and its size limit. */
import { failure } from '../errors.ts';

/** `app_metadata` is written by the service and admins, `user_metadata` by the user. */
export type Metadata = Record<string, unknown>;

/**
 * Bytes of JSON. Every access token contains all metadata, and a token too long for a header would lock its
 * user out.
 */
const MAX_USER_METADATA_BYTES = 32 * 1024;

/** Rejects metadata that is too large for an access token. Throws `validation_failed`. */
export function requireMetadataSize(metadata: Metadata): void {
  if (Buffer.byteLength(JSON.stringify(metadata)) <= MAX_USER_METADATA_BYTES) return;
  const message = `User metadata must not be larger than ${MAX_USER_METADATA_BYTES} bytes of JSON`;
  throw failure('validation_failed', { message });
}
