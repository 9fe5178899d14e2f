/** Statements for storage.upload_reservations. Triggers add reservations to storage.usage. */
import type { Statement } from '@greenroom/postgres';
import type { QuotaScope, SpaceRequest } from './space-request.ts';

/** A new reservation. Limits are in bytes; null means no limit. */
interface NewReservation extends SpaceRequest {
  id: string;
  holder: string;
  limits: Readonly<Record<QuotaScope, number | null>>;
}

/** Reserves bytes. Returns the granted bytes; null if a quota is exhausted. */
export function reserve({
  id,
  holder,
  bucket,
  key,
  ownerId,
  isUpsert,
  maxBytes,
  size,
  limits,
}: NewReservation): Statement {
  // Content of unknown size needs at least one byte, so that a full quota rejects it before the upload.
  const needed = size ?? 1;
  return {
    text: `select storage.reserve_bytes($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)::float8 as granted`,
    values: [
      id,
      holder,
      bucket,
      ownerId,
      key,
      isUpsert,
      size ?? maxBytes,
      needed,
      limits.total,
      limits.bucket,
      limits.user,
    ],
    name: 'storage_reserve',
  };
}

/** Deletes a reservation. */
export function release(id: string): Statement {
  return {
    text: 'delete from storage.upload_reservations where id = $1',
    values: [id],
    name: 'storage_reservation_release',
  };
}

/** Renews all reservations of a process. */
export function renew(holder: string): Statement {
  return {
    text: `update storage.upload_reservations set expires_at = now() + interval '2 minutes' where holder = $1`,
    values: [holder],
    name: 'storage_reservations_renew',
  };
}

/** Deletes at most `limit` expired reservations, whose processes were killed. */
export function deleteExpiredReservations(limit: number): Statement {
  return {
    text: `delete from storage.upload_reservations where id in (
        select id from storage.upload_reservations where expires_at < now() limit $1 for update skip locked
      ) returning id`,
    values: [limit],
    name: 'storage_reservations_expired',
  };
}
