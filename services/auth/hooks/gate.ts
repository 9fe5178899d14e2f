/** Lets only so many through at once; the others wait in the order in which they came. */

/** Runs work when there is room for it. */
type Gate = <T>(work: () => Promise<T>) => Promise<T>;

/** Creates a gate. @param width how many may be through at once */
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
