/** A pool of connections for raw batches. */
import { hasNoTransaction, openPool, type Pool, type PoolOptions } from './pool.ts';
import { RawClient } from './raw-batch/client.ts';

/** Connections on which {@link ./raw-batch.ts} runs. */
export type RawPool = Pool<RawClient>;

/** Opens a pool. Connections are made when they are first needed. */
export function openRawPool(options: PoolOptions): RawPool {
  return openPool(options, RawClient, (client) => client.receiver === undefined && hasNoTransaction(client));
}
