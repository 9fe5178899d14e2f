/** Commands that clean up before SIGINT or SIGTERM ends them. */

const SIGNALS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM'];

/** A signal has interrupted a command. */
class InterruptedError extends Error {
  override readonly name = 'InterruptedError';
}

/**
 * Runs `work` with a promise that rejects at the first signal. The next signal ends the process at once.
 * @param message error of an interrupted command
 */
export async function withInterruption<T>(
  work: (interrupted: Promise<never>) => Promise<T>,
  message = 'interrupted; no file was written.',
): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(() => undefined);
  const interrupt = () => reject(new InterruptedError(message));
  for (const signal of SIGNALS) process.once(signal, interrupt);
  try {
    return await work(promise);
  } finally {
    for (const signal of SIGNALS) process.removeListener(signal, interrupt);
  }
}
