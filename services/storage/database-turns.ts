/**
 * Shares the database connections between clients in round robin. The pool serves statements in the order of their arrival,
 * so a burst of one client would delay each round trip of every other client.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { createFairQueue, type FairQueue } from '@greenroom/limits';
import { CONNECTION_TIMEOUT_MS, type Database, PoolTimeoutError } from '@greenroom/postgres';

/** Connections of the pool of storage. */
export const STORAGE_CONNECTIONS = 10;

/** Connections that one client leaves to others. */
const LEFT_TO_OTHERS = 2;

interface Sender {
  keys: readonly string[];
}

const senders = new AsyncLocalStorage<Sender>();

/** Runs `work`, and everything that it starts, for a client. @param keys none for a client that is not counted */
export function runForClient(keys: readonly string[], work: () => void): void {
  senders.run({ keys }, work);
}

/** Counts the rest of the request that runs here under other keys, e.g. once its account is known. */
export function setClient(keys: readonly string[]): void {
  const sender = senders.getStore();
  if (sender !== undefined) sender.keys = keys;
}

/** Keys of the client that runs here; none outside of requests. */
export function currentClient(): readonly string[] {
  return senders.getStore()?.keys ?? [];
}

/** The same database, for requests that run in {@link runForClient}. @param connections of its pool */
export function databaseInTurns(database: Database, connections: number): Database {
  const queue = createFairQueue({
    max: connections,
    maxPerClient: Math.max(1, connections - LEFT_TO_OTHERS),
    // Whatever starts statements has a limit of its own.
    maxWaiting: Number.POSITIVE_INFINITY,
    maxWaitingPerClient: Number.POSITIVE_INFINITY,
  });
  return {
    query: (statement) => inTurn(queue, () => database.query(statement)),
    batch: (statements) => inTurn(queue, () => database.batch(statements)),
    transaction: (work) => inTurn(queue, () => database.transaction(work)),
    close: () => database.close(),
  };
}

async function inTurn<T>(queue: FairQueue, work: () => Promise<T>): Promise<T> {
  const keys = currentClient();
  const release = queue.tryAcquire(keys) ?? (await untilFree(queue, keys));
  try {
    return await work();
  } finally {
    release();
  }
}

function untilFree(queue: FairQueue, keys: readonly string[]): Promise<() => void> {
  const signal = AbortSignal.timeout(CONNECTION_TIMEOUT_MS);
  return queue.acquire(keys, signal).catch((cause: unknown) => {
    throw new PoolTimeoutError('no connection has become free in time', { cause });
  });
}
