/** Who has begun an upload of many requests, and who may go on with it. */
import type { Statement } from '@greenroom/postgres';
import type { Caller } from '../caller.ts';
import { failure } from '../errors.ts';

/** Who acts on an upload. */
export interface Principal {
  /** Claim `sub` of the session, or of whoever has signed the link. */
  ownerId: string | null;
  /** Role of the session; `link` for a signed request. */
  begunBy: string;
}

/** What a row says about who has begun it. Null: begun before rows said so. */
export interface BegunUpload {
  ownerId: string | null;
  begunBy: string | null;
}

/** The principal of a session. */
export function principalOf({ role, subject }: Pick<Caller, 'role' | 'subject'>): Principal {
  return { ownerId: subject ?? null, begunBy: role };
}

/**
 * Only who has begun an upload sees and continues it, with the same role, and service_role, to whom nothing is closed.
 * Policies are checked besides. Throws AccessDenied.
 */
export function requireSamePrincipal(upload: BegunUpload, { ownerId, begunBy }: Principal): void {
  if (upload.begunBy === null || begunBy === 'service_role') return;
  if (upload.begunBy !== begunBy || upload.ownerId !== ownerId) throw failure('AccessDenied');
}

/** In the transaction that begins an upload: PostgreSQL raises PT429 where too many are unfinished. */
export function requireFewUploads(
  { ownerId, begunBy }: Principal,
  bucket: string,
  most: number,
): Statement[] {
  // The instance's own keys are no account.
  if (begunBy === 'service_role') return [];
  return [
    {
      text: 'select storage.require_few_uploads($1, $2, $3)',
      values: [bucket, ownerId, most],
      name: 'storage_few_uploads',
    },
  ];
}
