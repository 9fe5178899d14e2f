/** Removing uploads that nobody goes on with. */
import type { Context } from '../context.ts';
import { deleteRested, type UploadRow } from './rows.ts';
import { removeReceived } from './upload-store.ts';

const PORTION = 100;
const MOST_SECONDS = 600;

/** Removes what has rested for too long. Answers how many there were. */
export async function removeExpiredUploads(context: Context): Promise<number> {
  const { database, config } = context;
  let removed = 0;
  for (;;) {
    const rows = await database.query<UploadRow>(deleteRested(config.resumableExpiryMs, PORTION));
    for (const row of rows) await removeReceived(context, row);
    removed += rows.length;
    if (rows.length < PORTION) return removed;
  }
}

/** Does so from time to time, until it is stopped. */
export function startExpiry(context: Context): () => void {
  const run = () => {
    removeExpiredUploads(context).catch((error: unknown) => {
      context.log.warn({ err: error }, 'expired uploads could not be removed');
    });
  };
  run();
  const pauseMs = Math.min(context.config.resumableExpiryMs, MOST_SECONDS * 1000);
  const timer = setInterval(run, pauseMs).unref();
  return () => clearInterval(timer);
}
