/** A pool of connections for raw batches. */
import { openPipeline, type Pipeline } from './pipeline.ts';
import { CONNECTION_TIMEOUT_MS, hasNoTransaction, openPool, type Pool, type PoolOptions } from './pool.ts';
import { RawClient } from './raw-batch/client.ts';

/** Connections on which {@link ./raw-batch.ts} runs, one for whoever uses it, or shared by reads. */
export type RawPool = Pool<RawClient> & Pipeline;

/** Opens a pool. Connections are made when they are first needed. */
export function openRawPool(options: PoolOptions): RawPool {
  const pool = openPool(
    options,
    RawClient,
    (client) => client.receiver === undefined && hasNoTransaction(client),
  );
  const timeoutMs = options.connectionTimeoutMs ?? CONNECTION_TIMEOUT_MS;
  return { ...pool, ...openPipeline({ pool, max: options.max, timeoutMs }) };
}
