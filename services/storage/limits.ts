/**
 * What one client may do at the same time, and all clients together. Clients wait in turns; where too many requests of one
 * client wait, further ones are answered 429.
 */
import { availableParallelism } from 'node:os';
import { clientKeys, createFairQueue, type FairQueue, QueueFullError } from '@greenroom/limits';
import { failure } from './errors.ts';
import type { Asking } from './scope.ts';
import { createReadTurns, type ReadTurns } from './store/read-turns.ts';

/** Queues of one instance. */
export interface StorageLimits {
  /**
   * Lists and changes of many rows. Each may keep a processor of PostgreSQL busy for seconds, so an account and an address
   * have half of the processors each: see {@link queryClientOf}.
   */
  queries: FairQueue;
  /** Content that comes in: each upload has up to 12 MB of it in memory. */
  uploads: FairQueue;
  /** Content that goes out: each download has a file open and a quarter of a megabyte in memory. None waits. */
  downloads: FairQueue;
  /** Chunks of downloads. */
  reads: ReadTurns;
}

/** Creates the queues, with all of their places free. */
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
    reads: createReadTurns(),
  };
}

/** What of a request limits look at. */
interface Countable {
  caller: Pick<Asking['caller'], 'subject'>;
  request: Pick<Asking['request'], 'address'>;
}

/** Keys that the client of a request is counted under: its account, else its address. None where it is not counted. */
export function clientOf({ caller, request }: Countable): readonly string[] {
  const { address } = request;
  return address === undefined ? [] : clientKeys({ account: caller.subject, address });
}

/** Keys that {@link StorageLimits.queries} count a client under: its account, and its address with any account. */
export function queryClientOf({ caller, request }: Countable): readonly string[] {
  const { address } = request;
  if (address === undefined) return [];
  const networks = clientKeys({ address });
  return caller.subject === undefined
    ? networks
    : [...clientKeys({ account: caller.subject, address }), ...networks];
}

/** Runs `work` when it is the client's turn. Throws TooManyRequests. */
export function inTurn<T>(queue: FairQueue, client: readonly string[], work: () => Promise<T>): Promise<T> {
  return queue.run(client, work).catch(tooMany);
}

/** A place that is held until it is released. Throws TooManyRequests. */
export function takePlace(queue: FairQueue, client: readonly string[]): Promise<() => void> {
  return queue.acquire(client).catch(tooMany);
}

function tooMany(error: unknown): never {
  if (!(error instanceof QueueFullError)) throw error;
  throw failure('TooManyRequests', { headers: { 'retry-after': String(error.retryAfterSeconds) } });
}
