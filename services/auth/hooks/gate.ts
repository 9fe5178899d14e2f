/** FIFO semaphore. */

/** Runs work as soon as a permit is free. */
type Gate = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Creates a semaphore.
 * @param width number of permits
 */
export function createGate(width: number): Gate {
  let free = width;
  const waiting: (() => void)[] = [];
  const enter = () =>
    new Promise<void>((resolve) => {
      if (free === 0) return void waiting.push(resolve);
      free -= 1;
      resolve();
    });
  const leave = () => {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  };
  return async (work) => {
    await enter();
    try {
      return await work();
    } finally {
      leave();
    }
  };
}
