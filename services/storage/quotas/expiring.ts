/** Removes reservations of killed processes. */
import type { Database } from '@greenroom/postgres';
import type { Expiring } from '../expiry.ts';
import { deleteExpired } from './rows.ts';

/** Interval of the cleanup; a reservation lives equally long. */
const INTERVAL_MS = 120_000;

/** Reservations as expiring uploads. */
export function expiredReservations({ database }: { database: Database }): Expiring {
  return {
    restMs: INTERVAL_MS,
    async removeRested(most) {
      return (await database.query(deleteExpired(most))).length;
    },
  };
}
