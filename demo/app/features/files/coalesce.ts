/** Coalesces calls of an asynchronous function. */

/**
 * Returns a function that never runs `work` concurrently: all calls during a run share one further run. Each
 * promise resolves after a run that started after the call.
 */
export function coalesce(work: () => Promise<unknown>): () => Promise<void> {
  let current: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const run = (): Promise<void> => {
    current = work()
      .then(() => {})
      .finally(() => {
        current = undefined;
      });
    return current;
  };
  return () => {
    if (!current) return run();
    next ??= current
      .catch(() => {})
      .then(() => {
        next = undefined;
        return run();
      });
    return next;
  };
}
