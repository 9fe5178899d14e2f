/**
 * Debounces requests that come in bursts: runs the work immediately for the first request, and once more for all
 * requests that arrive while it runs or within an interval after its start. No request is lost, and the work never runs
 * concurrently.
 */

interface Debounce {
  /** Requests a run. */
  request(): void;
  /** Prevents further runs. Resolves when the current run has ended. */
  close(): Promise<void>;
}

/**
 * Creates a debounce with leading and trailing runs.
 * @param work must not reject
 * @param intervalMs minimum time between the starts of two runs
 */
export function createDebounce(work: () => Promise<void>, intervalMs: number): Debounce {
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isPending = false;
  let isClosed = false;

  function start(): void {
    isPending = false;
    timer = setTimeout(() => {
      timer = undefined;
      startIfPending();
    }, intervalMs);
    running = work().finally(() => {
      running = undefined;
      startIfPending();
    });
  }

  function startIfPending(): void {
    if (isPending && !isClosed && timer === undefined && running === undefined) start();
  }

  return {
    request() {
      isPending = true;
      startIfPending();
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await running;
    },
  };
}
