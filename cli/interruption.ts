/** Commands that clean up before SIGINT or SIGTERM ends them. */

const SIGNALS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM'];

/** A signal has interrupted a command. */
class InterruptedError extends Error {
  override readonly name = 'InterruptedError';
}

/**
 * Runs `work` with a signal that aborts at the first SIGINT or SIGTERM; then throws an error with this message. The next
 * one ends the process at once.
 */
export async function withAbortSignal<T>(
  message: string,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  // Stays registered until the end: a package that a large upload loads ends the process if it has the only listener.
  const interrupt = (signal: NodeJS.Signals) => {
    if (!controller.signal.aborted) return controller.abort(new InterruptedError(message));
    process.removeListener(signal, interrupt);
    process.kill(process.pid, signal);
  };
  for (const signal of SIGNALS) process.on(signal, interrupt);
  try {
    return await work(controller.signal);
  } catch (error) {
    throw controller.signal.aborted ? controller.signal.reason : error;
  } finally {
    for (const signal of SIGNALS) process.removeListener(signal, interrupt);
  }
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
