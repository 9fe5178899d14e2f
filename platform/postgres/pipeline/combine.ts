/**
 * Stage 4 of the pipeline: combines queued reads that are quick into one batch. Each flush costs a wake-up of both
 * processes, and under load the wake-ups cost more than the statements.
 */
import type { PendingRead } from './pending-read.ts';
import type { ReadQueue } from './read-queue.ts';

/** Maximum number of reads in one batch. */
const MAX_READS = 12;

/**
 * Removes the reads that share a batch with `first` from the queue, in order. Leaves a proportional number of reads for
 * each connection that is `coming`.
 */
export function combineReads(first: PendingRead, queue: ReadQueue, coming: number): PendingRead[] {
  const reads = [first];
  if (!first.isShareable) return reads;
  const limit = Math.min(MAX_READS, Math.ceil((queue.length + 1) / (coming + 1)));
  while (reads.length < limit && queue.first?.isShareable) {
    const next = queue.shift();
    if (next !== undefined) reads.push(next);
  }
  return reads;
}
