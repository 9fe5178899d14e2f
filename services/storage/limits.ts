/**
 * Limits how much work runs concurrently, per client and in total. Clients are served in round robin; a request is
 * answered with 429 if too many requests of its client are waiting.
 */
import { availableParallelism } from 'node:os';
import { clientKeys, createFairQueue, type FairQueue, QueueFullError } from '@greenroom/limits';
import { failure } from './errors.ts';
import type { AccessContext } from './scope.ts';
import { createReadLimits, type ReadLimits } from './store/read-limits.ts';

/** The queues of one instance. */
export interface StorageLimits {
  /**
   * Lists, and changes of many rows. Each may keep a processor of PostgreSQL busy for seconds, so an account and an
   * address each get at most half of the processors: see {@link queryLimitKeysOf}.
   */
  queries: FairQueue;
  /** Uploads. Each holds up to 12 MB of content in memory. */
  uploads: FairQueue;
  /** Downloads. Each holds an open file and 256 KB of memory. They do not wait: excess downloads are rejected. */
  downloads: FairQueue;
  /** Reads of single chunks for downloads. */
  reads: ReadLimits;
}

export function createStorageLimits(): StorageLimits {
  return {
    queries: createFairQueue({
      max: 6,
      maxPerClient: Math.min(3, Math.max(1, Math.floor(availableParallelism() / 2))),
      maxWaiting: 512,
      maxWaitingPerClient: 128,
    }),
    uploads: createFairQueue({ max: 128, maxPerClient: 16, maxWaiting: 1024, maxWaitingPerClient: 128 }),
    downloads: createFairQueue({ max: 4096, maxPerClient: 256, maxWaiting: 0, maxWaitingPerClient: 0 }),
    reads: createReadLimits(),
  };
}

/** The part of a request that limits are keyed by. */
interface LimitedRequest {
  caller: Pick<AccessContext['caller'], 'subject'>;
  request: Pick<AccessContext['request'], 'address'>;
}

/**
 * Keys that the client of a request is counted under: its account, or without one its address. Empty if the client is
 * not counted.
 */
export function limitKeysOf({ caller, request }: LimitedRequest): readonly string[] {
  const { address } = request;
  return address === undefined ? [] : clientKeys({ account: caller.subject, address });
}

/** Keys for {@link StorageLimits.queries}: the client's account, and its address regardless of the account. */
export function queryLimitKeysOf({ caller, request }: LimitedRequest): readonly string[] {
  const { address } = request;
  if (address === undefined) return [];
  const networks = clientKeys({ address });
  return caller.subject === undefined
    ? networks
    : [...clientKeys({ account: caller.subject, address }), ...networks];
}

/** Runs `work` when the queue admits the client. Throws TooManyRequests. */
export function runLimited<T>(
  queue: FairQueue,
  client: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  return queue.run(client, work).catch(throwTooManyRequests);
}

/** Acquires a slot of the queue. Returns the function that releases it. Throws TooManyRequests. */
export function acquireSlot(queue: FairQueue, client: readonly string[]): Promise<() => void> {
  return queue.acquire(client).catch(throwTooManyRequests);
}

function throwTooManyRequests(error: unknown): never {
  if (!(error instanceof QueueFullError)) throw error;
  throw failure('TooManyRequests', { headers: { 'retry-after': String(error.retryAfterSeconds) } });
}
