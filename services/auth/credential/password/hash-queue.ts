/**
 * Limits how many passwords are hashed concurrently. Hashing occupies libuv's threads. New connections to PostgreSQL,
 * file access, DNS and token signatures need them too, so the limit keeps some of them free.
 */
import { availableParallelism } from 'node:os';
import { createFairQueue, type FairQueueOptions, QueueFullError } from '@greenroom/limits';
import { tooManyRequests } from '../../rate-limit/errors.ts';

/** libuv's default and maximum. */
const DEFAULT_THREADS = 4;
const MAX_THREADS = 1024;
const FREE_THREADS = 2;
/** Equal to the burst of wrong guesses of a client. One hash takes tens of milliseconds. */
const MAX_WAITING_PER_CLIENT = 32;
/** On two cores, the last request in this queue completes before it times out. */
const MAX_WAITING = 192;

/**
 * Runs work that occupies a thread. `client` has the client's rate-limit keys; without keys only the total limits
 * apply.
 */
export type HashQueue = <T>(client: readonly string[], work: () => Promise<T>) => Promise<T>;

/**
 * Queue limits for a machine: at most one hash per core, at least one, and with {@link FREE_THREADS} threads left free.
 * One client may use half of it, so that a client with many sockets leaves a core to the rest of the process.
 * @param threads size of libuv's pool
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

/** Creates a queue. It throws `over_request_rate_limit` if too many calls are waiting. */
export function createHashQueue(bounds = hashBounds(libuvThreads(), availableParallelism())): HashQueue {
  const queue = createFairQueue(bounds);
  return async (client, work) => {
    const release = await queue.acquire(client).catch((error: unknown) => {
      if (error instanceof QueueFullError)
        throw tooManyRequests('password hashing', error.retryAfterSeconds * 1000);
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
