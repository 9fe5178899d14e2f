/** A FIFO semaphore: runs at most `permits` works at a time; the others wait in the order in which they came. */
export function createSemaphore(permits: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let acquired = 0;
  return async (work) => {
    if (acquired >= permits) await new Promise<void>((resolve) => waiting.push(resolve));
    else acquired += 1;
    try {
      return await work();
    } finally {
      // The permit passes to the next in line, so that no later work can overtake it.
      const next = waiting.shift();
      if (next) next();
      else acquired -= 1;
    }
  };
}
