/** A piece of work that is done when somebody asks for it, when it says itself that there will be more, and now and then. */

/** How long it sleeps at most: other nodes cannot wake it. */
const LONGEST_SLEEP_MS = 15_000;
/** How long it sleeps at least: what is due may be locked by another node. */
const SHORTEST_SLEEP_MS = 250;

/** Options of {@link createLoop}. */
interface LoopOptions {
  /** Does what there is to do. Returns when there will be more, in milliseconds; undefined: nobody knows. */
  work: () => Promise<number | undefined>;
  onError: (error: unknown) => void;
}

/** A running loop. */
interface Loop {
  /** Works at once, or once more if it is working. */
  wake(): void;
  /** The same; resolves when the work is done, rejects where it failed. */
  run(): Promise<void>;
  /** Begins nothing any more; resolves when the work is done. */
  close(): Promise<void>;
}

/** Starts a loop. */
export function createLoop({ work, onError }: LoopOptions): Loop {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isWanted = false;
  let isClosed = false;

  async function drain(): Promise<void> {
    clearTimeout(timer);
    let untilNextMs: number | undefined;
    try {
      while (isWanted) {
        isWanted = false;
        untilNextMs = await work();
      }
    } finally {
      // In one go with the last look at `isWanted`: nobody can ask in between and be forgotten.
      running = undefined;
      if (!isClosed) sleep(untilNextMs ?? LONGEST_SLEEP_MS);
    }
  }

  function sleep(ms: number): void {
    timer = setTimeout(wake, Math.min(Math.max(ms, SHORTEST_SLEEP_MS), LONGEST_SLEEP_MS));
    timer.unref();
  }

  function run(): Promise<void> {
    isWanted = true;
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
      isWanted = false;
      clearTimeout(timer);
      await running?.catch(() => undefined);
    },
  };
}
