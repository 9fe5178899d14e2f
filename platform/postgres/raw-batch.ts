/**
 * Runs several statements in one write, like {@link ./batch.ts}, for the hot path: statements are prepared under
 * generated names, results are the bytes that the server sends, and a batch may consist of several segments, and of
 * several independent parts.
 * A segment ends with a Sync. Unless it contains BEGIN and COMMIT it is one implicit transaction: an error skips the
 * rest of the segment and rolls it back, and the next segment runs normally.
 */
import type pg from 'pg';
import { cancelOnAbort } from './raw-batch/cancel.ts';
import type { CancelSignal } from './raw-batch/cancel-signal.ts';
import type { RawClient } from './raw-batch/client.ts';
import type { RawPart, RawStatement, SegmentResult } from './raw-batch/statement.ts';
import { SubmittedBatch } from './raw-batch/submitted-batch.ts';

/** Options of {@link runRawBatch}. */
interface RawBatchOptions extends Pick<RawPart, 'onLargeRow' | 'streamed'> {
  /** Cancels the running statement when it aborts. The batch settles as usual, mostly with error 57014. */
  signal?: CancelSignal | undefined;
}

/**
 * Runs segments on one connection in one write. Resolves when all of them have ended, including failed ones. Rejects if
 * the connection is lost, if a statement cannot be written (then nothing has been sent), or with the reason of a signal
 * that had aborted before.
 */
export async function runRawBatch(
  client: RawClient,
  segments: readonly (readonly RawStatement[])[],
  { signal, onLargeRow, streamed }: RawBatchOptions = {},
): Promise<SegmentResult[]> {
  if (signal?.aborted) throw signal.reason;
  let results: SegmentResult[] = [];
  const onEnd = (ended: SegmentResult[]) => {
    results = ended;
  };
  const running = runRawParts(client, [{ segments, onLargeRow, streamed, onEnd }]);
  await (signal === undefined ? running : cancelOnAbort(client, running, signal));
  return results;
}

/** Runs parts one after the other, in one write. Resolves when all have ended; rejects like {@link runRawBatch}. */
export function runRawParts(client: RawClient, parts: readonly RawPart[]): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  client.query(new SubmittedBatch(client, parts, resolve, reject) as unknown as pg.Submittable);
  return promise;
}
