/** Rows of storage.upload_reservations: all SQL about them. Triggers add them to storage.usage. */
import type { Statement } from '@greenroom/postgres';
import type { QuotaScope, WantedBytes } from './wanted-bytes.ts';

/** A reservation that is to be made. Limits in bytes; null does not apply. */
interface NewReservation extends WantedBytes {
  id: string;
  holder: string;
  limits: Readonly<Record<QuotaScope, number | null>>;
}

/** Returns how many bytes are granted; null where a quota has no room. */
export function reserve({
  id,
  holder,
  bucket,
  key,
  ownerId,
  isUpsert,
  atMost,
  size,
  limits,
}: NewReservation): Statement {
  // Of unknown size: one byte at least, so that a full quota refuses it before it comes.
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
      size ?? atMost,
      needed,
      limits.total,
      limits.bucket,
      limits.user,
    ],
    name: 'storage_reserve',
  };
}

/** Ends one. */
export function release(id: string): Statement {
  return {
    text: 'delete from storage.upload_reservations where id = $1',
    values: [id],
    name: 'storage_reservation_release',
  };
}

/** Keeps those of a process from expiring. */
export function renew(holder: string): Statement {
  return {
    text: `update storage.upload_reservations set expires_at = now() + interval '2 minutes' where holder = $1`,
    values: [holder],
    name: 'storage_reservations_renew',
  };
}

/** Ends some that have expired: their process was killed. */
export function deleteExpired(most: number): Statement {
  return {
    text: `delete from storage.upload_reservations where id in (
        select id from storage.upload_reservations where expires_at < now() limit $1 for update skip locked
      ) returning id`,
    values: [most],
    name: 'storage_reservations_expired',
  };
}
