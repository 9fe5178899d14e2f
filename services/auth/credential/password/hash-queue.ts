/**
 * How many passwords are hashed at once. Hashing runs on libuv's threads, which new connections to PostgreSQL, file
 * access, DNS and signatures of tokens need, too: some always stay free for them.
 */
import { availableParallelism } from 'node:os';
import { createFairQueue, type FairQueueOptions, QueueFullError } from '@greenroom/limits';
import { tooManyRequests } from '../../rate-limit/refusals.ts';

/** libuv's own default and maximum. */
const DEFAULT_THREADS = 4;
const MAX_THREADS = 1024;
const FREE_THREADS = 2;
/** As many as a client's bucket of wrong guesses holds; a hash takes tens of milliseconds. */
const MAX_WAITING_PER_CLIENT = 32;
/** The last of these is answered before a request times out, on two cores. */
const MAX_WAITING = 192;

/** Runs work that fills a thread. `client` are the keys of the client that it is for; none: only totals apply. */
export type HashQueue = <T>(client: readonly string[], work: () => Promise<T>) => Promise<T>;

/**
 * Bounds for a machine: no more than its cores, nor than leaves threads free, at least one. One client uses half of it,
 * so that a client with many sockets leaves a core to the rest of the process.
 * @param threads of libuv's pool
 */
export function hashBounds(threads: number, cores: number): FairQueueOptions {
  const max = Math.max(1, Math.min(threads - FREE_THREADS, cores));
  return {
    max,
    maxPerClient: Math.ceil(max / 2),
    maxWaiting: MAX_WAITING,
    maxWaitingPerClient: MAX_WAITING_PER_CLIENT,
  };
}

/** Creates a queue. Where too many wait it throws `over_request_rate_limit`. */
export function createHashQueue(bounds = hashBounds(libuvThreads(), availableParallelism())): HashQueue {
  const queue = createFairQueue(bounds);
  return async (client, work) => {
    const release = await queue.acquire(client).catch((error: unknown) => {
      if (error instanceof QueueFullError) throw tooManyRequests(error.retryAfterSeconds * 1000);
      throw error;
    });
    try {
      return await work();
    } finally {
      release();
    }
  };
}

function libuvThreads(): number {
  const set = Number.parseInt(process.env.UV_THREADPOOL_SIZE ?? '', 10);
  return Number.isNaN(set) ? DEFAULT_THREADS : Math.min(Math.max(set, 1), MAX_THREADS);
}
