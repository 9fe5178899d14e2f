/** Removes expired resumable uploads. */
import type { Context } from '../context.ts';
import type { Expiring } from '../expiry.ts';
import { deleteRested, type UploadRow } from './rows.ts';
import { removeReceived } from './upload-store.ts';

/** An upload expires if no bytes arrive for the configured time. */
export function restingResumable(context: Context): Expiring {
  const restMs = context.config.resumableExpiryMs;
  return {
    restMs,
    async removeRested(most) {
      const rows = await context.database.query<UploadRow>(deleteRested(restMs, most));
      for (const row of rows) await removeReceived(context, row);
      return rows.length;
    },
  };
}
