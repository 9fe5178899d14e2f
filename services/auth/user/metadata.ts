/** Free-form data about a user, and how much of it there may be. */
import { failure } from '../errors.ts';

/** `app_metadata` is the service's and admins', `user_metadata` the user's own. */
export type Metadata = Record<string, unknown>;

/** Of JSON. All of it is in every access token: one that is too long for a header would lock its user out. */
const MAX_USER_METADATA_BYTES = 32 * 1024;

/** Refuses more metadata than a token can carry. Throws `validation_failed`. */
export function requireFitsToken(metadata: Metadata): void {
  if (Buffer.byteLength(JSON.stringify(metadata)) <= MAX_USER_METADATA_BYTES) return;
  const message = `User metadata must not be larger than ${MAX_USER_METADATA_BYTES} bytes of JSON`;
  throw failure('validation_failed', { message });
}
