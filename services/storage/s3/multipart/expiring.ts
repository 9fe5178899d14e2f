/** Removes expired multipart uploads. */
import type { Context } from '../../context.ts';
import type { Expiring } from '../../expiry.ts';
import { deleteExpiredUploads, type UploadRow } from './rows.ts';
import { partsNameOf, removeParts } from './upload.ts';

/** An upload expires after its last part, or after its start if it has none. */
export function expiringMultipartUploads(context: Context): Expiring {
  const expiryMs = context.config.s3Protocol.uploadExpiryMs;
  return {
    expiryMs,
    async removeExpired(limit) {
      const rows = await context.database.query<UploadRow>(deleteExpiredUploads(expiryMs, limit));
      for (const row of rows) {
        await removeParts(context, row).catch((error: unknown) => {
          context.metrics.leftOver.inc();
          context.log.warn({ err: error, ...partsNameOf(row) }, 'parts of an upload could not be removed');
        });
      }
      return rows.length;
    },
  };
}
