/** A pool of connections for raw batches. */
import { type ConnectionShares, createConnectionShares } from './connection-shares.ts';
import { openPipeline, type Pipeline } from './pipeline.ts';
import { CONNECTION_TIMEOUT_MS, hasNoTransaction, openPool, type Pool, type PoolOptions } from './pool.ts';
import { RawClient } from './raw-batch/client.ts';

/** Connections for {@link ./raw-batch.ts}. `use` lends one exclusively, `read` shares one with other reads. */
export type RawPool = Pool<RawClient> & Pipeline & { shares: ConnectionShares };

/** Options of {@link openRawPool}. */
interface RawPoolOptions extends PoolOptions {
  /** Called for each use of a connection; returns whether statements are prepared. Default: true. */
  preparesStatements?: () => boolean;
}

/** Opens a pool. Connections are opened on demand. */
export function openRawPool({ preparesStatements = () => true, ...options }: RawPoolOptions): RawPool {
  const isIdle = (client: RawClient) =>
    client.receiver === undefined && hasNoTransaction(client) && !client.hasExcessMemory;
  const timeoutMs = options.connectionTimeoutMs ?? CONNECTION_TIMEOUT_MS;
  const { max } = options;
  const shares = createConnectionShares({ max, timeoutMs });
  const connections = openPool(options, RawClient, isIdle, () => shares.waiting());
  const pool: Pool<RawClient> = {
    ...connections,
    use: (work) =>
      connections.use((client) => {
        client.preparesStatements = preparesStatements();
        return work(client);
      }),
  };
  return { ...pool, ...openPipeline({ pool, max, timeoutMs, shares }), shares };
}
