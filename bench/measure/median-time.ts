/** Measures calls one after the other. Returns the median of their times, in milliseconds. */
export async function medianTimeOf(calls: number, call: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < calls; i += 1) {
    const startedAt = performance.now();
    await call();
    times.push(performance.now() - startedAt);
  }
  return times.sort((one, other) => one - other)[calls >> 1] ?? 0;
}
