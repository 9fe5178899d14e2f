/**
 * Runs `work` for all items, up to `limit` of them at a time. After a failure, no further work begins; rejects with the
 * first failure when the running work has ended.
 */
export async function forEachConcurrently<T>(
  items: AsyncIterable<T>,
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const iterator = items[Symbol.asyncIterator]();
  const failures: unknown[] = [];
  const runWorker = async () => {
    while (failures.length === 0) {
      const { value, done } = await iterator.next();
      if (done) return;
      await work(value);
    }
  };
  const worker = () => runWorker().catch((error: unknown) => void failures.push(error));
  await Promise.all(Array.from({ length: limit }, worker));
  if (failures.length === 0) return;
  await iterator.return?.();
  throw failures[0];
}
