/**
 * Limits the concurrent reads of content per client. Writing a chunk to a socket takes up to a millisecond of the event
 * loop while the system still has room to buffer it. If libuv's threads or the event loop were busy, reads finish in
 * one batch, so hundreds of downloads that begin together would block the event loop for that many milliseconds.
 */
import { createFairQueue, type FairQueue } from '@greenroom/limits';

/** Concurrent reads per client. */
const READS_PER_CLIENT = 2;

/** Runs `read` as soon as the client has a free slot. */
export type ReadLimiter = <T>(read: () => Promise<T>) => Promise<T>;

/** Read limits of all clients. */
export interface ReadLimits {
  /** Returns the limiter of a client; undefined if the client is not counted and its reads are not limited. */
  forClient(client: readonly string[]): ReadLimiter | undefined;
}

/** Creates limits without waiting reads. Any number of reads may wait, because downloads are limited separately. */
export function createReadLimits(): ReadLimits {
  const queue = createFairQueue({
    max: Number.POSITIVE_INFINITY,
    maxPerClient: READS_PER_CLIENT,
    maxWaiting: Number.POSITIVE_INFINITY,
    maxWaitingPerClient: Number.POSITIVE_INFINITY,
  });
  return {
    forClient(keys) {
      // The last key is the widest network: all addresses of a client share its reads.
      const client = keys.at(-1);
      return client === undefined ? undefined : (read) => readLimited(queue, [client], read);
    },
  };
}

/**
 * Releases the slot in the next iteration of the event loop, so that sockets with data are served between two reads.
 */
async function readLimited<T>(queue: FairQueue, keys: readonly string[], read: () => Promise<T>): Promise<T> {
  const release = await queue.acquire(keys);
  try {
    return await read();
  } finally {
    setImmediate(release);
  }
}
