/** Determines who began an upload of several requests, and who may continue it. */
import type { Statement } from '@greenroom/postgres';
import type { Caller } from '../caller.ts';
import { failure } from '../errors.ts';

/** The principal that acts on an upload. */
export interface Principal {
  /** Claim `sub` of the session, or of the user who signed the link. */
  ownerId: string | null;
  /** Role of the session; `link` for a signed request. */
  begunBy: string;
}

/** The principal in the row of an upload. Null: the upload began before rows recorded it. */
export interface StartedUpload {
  ownerId: string | null;
  begunBy: string | null;
}

/** Returns the principal of a session. */
export function principalOf({ role, subject }: Pick<Caller, 'role' | 'subject'>): Principal {
  return { ownerId: subject ?? null, begunBy: role };
}

/**
 * Permits only the principal that began the upload, and service_role. Policies are checked separately. Throws
 * AccessDenied.
 */
export function requireSamePrincipal(upload: StartedUpload, { ownerId, begunBy }: Principal): void {
  if (upload.begunBy === null || begunBy === 'service_role') return;
  if (upload.begunBy !== begunBy || upload.ownerId !== ownerId) throw failure('AccessDenied');
}

/**
 * Returns the check for the transaction that begins an upload: PostgreSQL raises PT429 if too many uploads are
 * unfinished.
 */
export function requireFewUploads(
  { ownerId, begunBy }: Principal,
  bucket: string,
  limit: number,
): Statement[] {
  // The instance's own keys are exempt, because they do not belong to an account.
  if (begunBy === 'service_role') return [];
  return [
    {
      text: 'select storage.require_few_uploads($1, $2, $3)',
      values: [bucket, ownerId, limit],
      name: 'storage_few_uploads',
    },
  ];
}
