/** Commands that clean up before SIGINT or SIGTERM ends them. */

const SIGNALS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM'];

/** A signal has interrupted a command. */
class InterruptedError extends Error {
  override readonly name = 'InterruptedError';
}

/** Runs `work` with a promise that rejects at the first signal. The next signal ends the process at once. */
export async function withInterruption<T>(work: (interrupted: Promise<never>) => Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(() => undefined);
  const interrupt = () => reject(new InterruptedError('interrupted; no file was written.'));
  for (const signal of SIGNALS) process.once(signal, interrupt);
  try {
    return await work(promise);
  } finally {
    for (const signal of SIGNALS) process.removeListener(signal, interrupt);
  }
}
