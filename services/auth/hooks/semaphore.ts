/** FIFO semaphore. */

/** Runs work as soon as a permit is free. */
type Semaphore = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Creates a semaphore.
 * @param permits number of permits
 */
export function createSemaphore(permits: number): Semaphore {
  let free = permits;
  const waiting: (() => void)[] = [];
  const acquire = () =>
    new Promise<void>((resolve) => {
      if (free === 0) return void waiting.push(resolve);
      free -= 1;
      resolve();
    });
  const release = () => {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  };
  return async (work) => {
    await acquire();
    try {
      return await work();
    } finally {
      release();
    }
  };
}
