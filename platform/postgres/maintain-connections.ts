/** Keeps the minimum number of a pool's connections open. pg's own pool only exempts them when it closes idle ones. */
import type pg from 'pg';

/**
 * Delay after the start and after each loss of a connection, in milliseconds, so that the start of the process comes
 * first.
 */
const DELAY_MS = 2000;

/**
 * Opens connections in the background until the pool has `pool.options.min`, and replaces lost ones. If the server
 * refuses, retries after each delay. Returns a function that stops this; call it before `pool.end()`.
 */
export function maintainConnections(pool: pg.Pool): () => void {
  const { min = 0 } = pool.options;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = min === 0;

  function schedule(): void {
    if (isClosed || timer !== undefined) return;
    timer = setTimeout(() => {
      timer = undefined;
      void topUp();
    }, DELAY_MS).unref();
  }

  async function topUp(): Promise<void> {
    if (isClosed) return;
    const missing = min - pool.totalCount;
    if (missing <= 0) return;
    // The pool lends idle connections before it opens new ones, so the idle ones must be borrowed as well.
    const count = missing + pool.idleCount;
    const acquired = await Promise.allSettled(Array.from({ length: count }, () => pool.connect()));
    for (const result of acquired) if (result.status === 'fulfilled') result.value.release();
    if (pool.totalCount < min) schedule();
  }

  pool.on('remove', schedule);
  schedule();
  return () => {
    isClosed = true;
    clearTimeout(timer);
  };
}
