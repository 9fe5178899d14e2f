/** Removes expired resumable uploads. */
import type { Context } from '../context.ts';
import type { Expiring } from '../expiry.ts';
import { removeReceived } from './remove-received.ts';
import { deleteExpiredUploads, type UploadRow } from './rows.ts';

/** An upload expires if no bytes arrive for the configured time. */
export function expiringResumableUploads(context: Context): Expiring {
  const expiryMs = context.config.resumableExpiryMs;
  return {
    expiryMs,
    async removeExpired(limit) {
      const rows = await context.database.query<UploadRow>(deleteExpiredUploads(expiryMs, limit));
      for (const row of rows) await removeReceived(context, row);
      return rows.length;
    },
  };
}
