/**
 * Shares the database connections between clients in round robin. The pool alone runs statements in order of arrival,
 * so a burst of one client would delay each round trip of every other client.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { createFairQueue, type FairQueue } from '@greenroom/limits';
import { CONNECTION_TIMEOUT_MS, type Database, PoolTimeoutError } from '@greenroom/postgres';

/** Size of storage's connection pool. */
export const STORAGE_CONNECTIONS = 10;

/** Connections that a single client cannot occupy. */
const RESERVED_FOR_OTHERS = 2;

interface ClientScope {
  keys: readonly string[];
}

const clientScopes = new AsyncLocalStorage<ClientScope>();

/**
 * Runs `work`, including its asynchronous continuations, on behalf of a client.
 *
 * @param keys of limits per client; empty if the client is not counted
 */
export function runForClient(keys: readonly string[], work: () => void): void {
  clientScopes.run({ keys }, work);
}

/** Counts the rest of the current request under other keys, e.g. once its account is known. */
export function setClient(keys: readonly string[]): void {
  const scope = clientScopes.getStore();
  if (scope !== undefined) scope.keys = keys;
}

/** Keys of the client that the current request runs for; empty outside of requests. */
export function currentClient(): readonly string[] {
  return clientScopes.getStore()?.keys ?? [];
}

/**
 * Wraps a database so that clients, set by {@link runForClient}, share its connections fairly.
 *
 * @param connections size of the database's pool
 */
export function createFairDatabase(database: Database, connections: number): Database {
  const queue = createFairQueue({
    max: connections,
    maxPerClient: Math.max(1, connections - RESERVED_FOR_OTHERS),
    // Callers limit how many statements they start, so this queue needs no limit.
    maxWaiting: Number.POSITIVE_INFINITY,
    maxWaitingPerClient: Number.POSITIVE_INFINITY,
  });
  return {
    query: (statement) => runFairly(queue, () => database.query(statement)),
    batch: (statements) => runFairly(queue, () => database.batch(statements)),
    transaction: (work) => runFairly(queue, () => database.transaction(work)),
    close: () => database.close(),
  };
}

async function runFairly<T>(queue: FairQueue, work: () => Promise<T>): Promise<T> {
  const keys = currentClient();
  const release = queue.tryAcquire(keys) ?? (await acquireWithTimeout(queue, keys));
  try {
    return await work();
  } finally {
    release();
  }
}

function acquireWithTimeout(queue: FairQueue, keys: readonly string[]): Promise<() => void> {
  const signal = AbortSignal.timeout(CONNECTION_TIMEOUT_MS);
  return queue.acquire(keys, signal).catch((cause: unknown) => {
    throw new PoolTimeoutError('no connection became available in time', { cause });
  });
}
