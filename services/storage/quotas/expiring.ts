/** Removes reservations of killed processes. */
import type { Database } from '@greenroom/postgres';
import type { Expiring } from '../expiry.ts';
import { deleteExpiredReservations } from './rows.ts';

/** Interval of the cleanup; a reservation lives equally long. */
const INTERVAL_MS = 120_000;

/** Reservations as expiring uploads. */
export function expiredReservations({ database }: { database: Database }): Expiring {
  return {
    expiryMs: INTERVAL_MS,
    async removeExpired(limit) {
      return (await database.query(deleteExpiredReservations(limit))).length;
    },
  };
}
