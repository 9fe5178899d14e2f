/**
 * Fair scheduling on the event loop. One iteration of the event loop serves every socket that has data, so without
 * limits all work of a client with many connections would start before that of the next client.
 */

/** Options of {@link createFairScheduler}. */
interface FairSchedulerOptions {
  /** Maximum number of tasks of one client that start in one iteration of the event loop. */
  maxPerIteration: number;
  /** Maximum number of waiting tasks of one client. */
  maxWaitingPerClient: number;
  /** Runs a function in the next iteration of the event loop. */
  nextIteration?: (run: () => void) => void;
}

/** Starts tasks. Has no limit in total: each iteration serves every client with waiting tasks. */
export interface FairScheduler {
  /**
   * Calls `start` now, or in a later iteration if the client has started too many tasks in this one. If too many tasks
   * of the client wait, returns false and never calls it.
   * @param client any text that identifies the client
   */
  schedule(client: string, start: () => void): boolean;
}

export function createFairScheduler(options: FairSchedulerOptions): FairScheduler {
  const { maxPerIteration, maxWaitingPerClient, nextIteration = (run) => void setImmediate(run) } = options;
  const startedBy = new Map<string, number>();
  const waitingOf = new Map<string, (() => void)[]>();
  let isPlanned = false;

  function planIteration(): void {
    if (isPlanned) return;
    isPlanned = true;
    nextIteration(serve);
  }

  function serve(): void {
    isPlanned = false;
    startedBy.clear();
    for (const [client, waiting] of waitingOf) {
      const starting = waiting.splice(0, maxPerIteration);
      startedBy.set(client, starting.length);
      if (waiting.length === 0) waitingOf.delete(client);
      for (const start of starting) start();
    }
    if (startedBy.size > 0) planIteration();
  }

  return {
    schedule(client, start) {
      const waiting = waitingOf.get(client);
      const started = startedBy.get(client) ?? 0;
      if (waiting === undefined && started < maxPerIteration) {
        startedBy.set(client, started + 1);
        planIteration();
        start();
        return true;
      }
      if (waiting === undefined) waitingOf.set(client, [start]);
      else if (waiting.length < maxWaitingPerClient) waiting.push(start);
      else return false;
      return true;
    },
  };
}
