/** Reservations of processes that were killed. */
import type { Database } from '@greenroom/postgres';
import type { Expiring } from '../expiry.ts';
import { deleteExpired } from './rows.ts';

/** Between two looks; a reservation lives as long. */
const INTERVAL_MS = 120_000;

/** Those that have expired. */
export function expiredReservations({ database }: { database: Database }): Expiring {
  return {
    restMs: INTERVAL_MS,
    async removeRested(most) {
      return (await database.query(deleteExpired(most))).length;
    },
  };
}
