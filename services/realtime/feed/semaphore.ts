/**
 * Creates a FIFO semaphore: it runs at most `permits` tasks at a time, and the others wait in the order of their calls.
 */
export function createSemaphore(permits: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let acquired = 0;
  return async (work) => {
    if (acquired >= permits) await new Promise<void>((resolve) => waiting.push(resolve));
    else acquired += 1;
    try {
      return await work();
    } finally {
      // The permit passes directly to the next task, so that no later one can overtake it.
      const next = waiting.shift();
      if (next) next();
      else acquired -= 1;
    }
  };
}
