/** Distributes items among loops, so that no two loops ever use the same item. */

/** Returns a function that returns the next index for a loop. @param count number of items, a multiple of `loops` */
export function createIndexSequence(count: number, loops: number): (loop: number) => number {
  const next = Array.from({ length: loops }, (_, loop) => loop);
  return (loop) => {
    const index = next[loop] ?? 0;
    next[loop] = (index + loops) % count;
    return index;
  };
}
