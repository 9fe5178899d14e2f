/**
 * Runs something that is asked for in bursts: at once for the first, and once more for all that come while it runs or
 * within a while after it began. The last one is never lost, and it never runs twice at the same time.
 */

/** A piece of work that is asked for in bursts. */
interface Debounce {
  /** Asks for it. */
  ask(): void;
  /** Begins nothing any more; resolves when what runs has ended. */
  close(): Promise<void>;
}

/**
 * Makes one.
 * @param work must not reject
 * @param intervalMs shortest time from one beginning to the next
 */
export function createDebounce(work: () => Promise<void>, intervalMs: number): Debounce {
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isAsked = false;
  let isClosed = false;

  function begin(): void {
    isAsked = false;
    timer = setTimeout(() => {
      timer = undefined;
      beginIfAsked();
    }, intervalMs);
    running = work().finally(() => {
      running = undefined;
      beginIfAsked();
    });
  }

  function beginIfAsked(): void {
    if (isAsked && !isClosed && timer === undefined && running === undefined) begin();
  }

  return {
    ask() {
      isAsked = true;
      beginIfAsked();
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await running;
    },
  };
}
