/**
 * Limits the reads of content that are under way for one client. Writing a chunk to a socket takes up to a millisecond of
 * the event loop while the system still has room to buffer it. Reads finish in one batch where libuv's threads or the event
 * loop were busy, so hundreds of downloads that begin together would block the event loop for that many milliseconds.
 */
import { createFairQueue, type FairQueue } from '@greenroom/limits';

/** Reads of one client that are under way. */
const READS_PER_CLIENT = 2;

/** Runs `read` as soon as the client has a free read. */
export type ReadTurn = <T>(read: () => Promise<T>) => Promise<T>;

/** Turns of all clients. */
export interface ReadTurns {
  /** The turns of a client; undefined if it is not counted, and its reads are not limited. */
  of(client: readonly string[]): ReadTurn | undefined;
}

/** Creates turns in which nothing waits. Any number of reads may wait, because downloads have a limit of their own. */
export function createReadTurns(): ReadTurns {
  const queue = createFairQueue({
    max: Number.POSITIVE_INFINITY,
    maxPerClient: READS_PER_CLIENT,
    maxWaiting: Number.POSITIVE_INFINITY,
    maxWaitingPerClient: Number.POSITIVE_INFINITY,
  });
  return {
    of(keys) {
      // The widest network: all addresses of a client share its reads.
      const client = keys.at(-1);
      return client === undefined ? undefined : (read) => readInTurn(queue, [client], read);
    },
  };
}

/** Returns the permit in the next turn of the event loop, so that sockets with data are served between two reads. */
async function readInTurn<T>(queue: FairQueue, keys: readonly string[], read: () => Promise<T>): Promise<T> {
  const release = await queue.acquire(keys);
  try {
    return await read();
  } finally {
    setImmediate(release);
  }
}
