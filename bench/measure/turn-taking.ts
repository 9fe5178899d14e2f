/** Which of many items a loop takes next: loops share them out, so that no two ever have the same. */

/** Gives the next index for a loop. @param count of items, a multiple of `loops` */
export function takeTurns(count: number, loops: number): (loop: number) => number {
  const next = Array.from({ length: loops }, (_, loop) => loop);
  return (loop) => {
    const index = next[loop] ?? 0;
    next[loop] = (index + loops) % count;
    return index;
  };
}
