/** Stands for `async/delay` of Deno's standard library. */

/** Resolves after a time in milliseconds. Rejects with the reason of `signal` when it aborts. */
export function delay(milliseconds: number, { signal }: { signal?: AbortSignal } = {}): Promise<void> {
  if (signal?.aborted) return Promise.reject(signal.reason);
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', abort, { once: true });
  });
}
