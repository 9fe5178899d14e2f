/** Removing uploads that nobody goes on with. */
import type { Context } from '../context.ts';
import { deleteRested, type UploadRow } from './rows.ts';
import { removeReceived } from './upload-store.ts';

const PORTION = 100;
/** Between two looks. */
const MOST_MS = 600_000;

/** Removes what has rested for too long. Answers how many there were. */
export async function removeExpiredUploads(context: Context, signal?: AbortSignal): Promise<number> {
  const { database, config } = context;
  let removed = 0;
  while (!signal?.aborted) {
    const rows = await database.query<UploadRow>(deleteRested(config.resumableExpiryMs, PORTION));
    for (const row of rows) await removeReceived(context, row);
    removed += rows.length;
    if (rows.length < PORTION) break;
  }
  return removed;
}

/** Does so from time to time. What it gives stops it, and resolves when it has. */
export function startExpiry(context: Context): () => Promise<unknown> {
  const closing = new AbortController();
  let running: Promise<unknown> = Promise.resolve();
  const run = () => {
    running = removeExpiredUploads(context, closing.signal).catch((error: unknown) => {
      context.log.warn({ err: error }, 'expired uploads could not be removed');
    });
  };
  run();
  const timer = setInterval(run, Math.min(context.config.resumableExpiryMs, MOST_MS)).unref();
  return () => {
    closing.abort();
    clearInterval(timer);
    return running;
  };
}
