/** Work that is asked for more often than it can be done. */

/**
 * Makes a function that never runs `work` twice at once: who asks meanwhile gets one more run, all together. The promise
 * resolves after a run that began no earlier than the call.
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
