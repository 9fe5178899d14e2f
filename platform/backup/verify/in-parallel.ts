/** Runs work on many items, a few at the same time. */

/** Runs `work` on each item, at most `limit` at the same time. Rejects with the first error after all others ended. */
export async function inParallel<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  limit: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const pending = new Set<Promise<void>>();
  let failure: { error: unknown } | undefined;

  function start(item: Item): void {
    const running = work(item)
      .catch((error: unknown) => {
        failure ??= { error };
      })
      .finally(() => pending.delete(running));
    pending.add(running);
  }

  for await (const item of items) {
    while (pending.size >= limit) await Promise.race(pending);
    if (failure !== undefined) break;
    start(item);
  }
  await Promise.all(pending);
  if (failure !== undefined) throw failure.error;
}
