/**
 * Starts work in turns of its clients. One turn of the event loop serves every socket that has data, so a client with many
 * connections would otherwise put all of its work in front of that of the next client.
 */

/** Options of {@link createTurns}. */
interface TurnsOptions {
  /** Pieces of work of one client that start in one turn of the event loop. */
  maxPerTurn: number;
  /** Pieces of work of one client that may wait. */
  maxWaitingPerClient: number;
  /** Runs a function in the next turn of the event loop. */
  nextTurn?: (run: () => void) => void;
}

/** Starts work. Not limited in total: a turn serves each client that waits. */
export interface Turns {
  /**
   * Calls `start` at once, or in a later turn if the client has started too much in this one. Returns false and never
   * calls it if too much of the client waits.
   * @param client any text that identifies the client
   */
  enter(client: string, start: () => void): boolean;
}

/** Creates turns in which nothing waits. */
export function createTurns(options: TurnsOptions): Turns {
  const { maxPerTurn, maxWaitingPerClient, nextTurn = (run) => void setImmediate(run) } = options;
  const startedBy = new Map<string, number>();
  const waitingOf = new Map<string, (() => void)[]>();
  let isTurnPlanned = false;

  function planTurn(): void {
    if (isTurnPlanned) return;
    isTurnPlanned = true;
    nextTurn(serve);
  }

  function serve(): void {
    isTurnPlanned = false;
    startedBy.clear();
    for (const [client, waiting] of waitingOf) {
      const starting = waiting.splice(0, maxPerTurn);
      startedBy.set(client, starting.length);
      if (waiting.length === 0) waitingOf.delete(client);
      for (const start of starting) start();
    }
    if (startedBy.size > 0) planTurn();
  }

  return {
    enter(client, start) {
      const waiting = waitingOf.get(client);
      const started = startedBy.get(client) ?? 0;
      if (waiting === undefined && started < maxPerTurn) {
        startedBy.set(client, started + 1);
        planTurn();
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
