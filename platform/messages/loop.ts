/** Runs work on request, after the delay that its last run returned, and periodically. */

/** Maximum delay between two runs, because other nodes cannot wake this one. */
const MAX_DELAY_MS = 15_000;
/** Minimum delay between two runs, because due messages may be locked by another node. */
const MIN_DELAY_MS = 250;

/** Options of {@link createLoop}. */
interface LoopOptions {
  /** Runs once. Returns the milliseconds until the next run is needed; undefined if unknown. */
  work: () => Promise<number | undefined>;
  onError: (error: unknown) => void;
}

/** A running loop. */
interface Loop {
  /** Runs now, or once more if it is running. */
  wake(): void;
  /** Like `wake`; resolves when the work is done, rejects if it failed. */
  run(): Promise<void>;
  /** Starts no further run; resolves when the current one has ended. */
  close(): Promise<void>;
}

export function createLoop({ work, onError }: LoopOptions): Loop {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isRequested = false;
  let isClosed = false;

  async function drain(): Promise<void> {
    clearTimeout(timer);
    let nextDelayMs: number | undefined;
    try {
      while (isRequested) {
        isRequested = false;
        nextDelayMs = await work();
      }
    } finally {
      // Synchronous with the last check of `isRequested`, so that no request in between is lost.
      running = undefined;
      if (!isClosed) schedule(nextDelayMs ?? MAX_DELAY_MS);
    }
  }

  function schedule(ms: number): void {
    timer = setTimeout(wake, Math.min(Math.max(ms, MIN_DELAY_MS), MAX_DELAY_MS));
    timer.unref();
  }

  function run(): Promise<void> {
    isRequested = true;
    running ??= drain();
    return running;
  }

  function wake(): void {
    if (!isClosed) run().catch(onError);
  }

  return {
    wake,
    run,
    async close() {
      isClosed = true;
      isRequested = false;
      clearTimeout(timer);
      await running?.catch(() => undefined);
    },
  };
}
