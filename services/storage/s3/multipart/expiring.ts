/** Removes expired multipart uploads. */
import type { Context } from '../../context.ts';
import type { Expiring } from '../../expiry.ts';
import { deleteRested, type UploadRow } from './rows.ts';
import { partsNameOf, removeParts } from './upload.ts';

/** An upload expires after its last part, or after its start if it has none. */
export function restingInParts(context: Context): Expiring {
  const restMs = context.config.s3Protocol.uploadExpiryMs;
  return {
    restMs,
    async removeRested(most) {
      const rows = await context.database.query<UploadRow>(deleteRested(restMs, most));
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
