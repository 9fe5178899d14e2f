/**
 * Starts requests in turns of their clients. One turn of the event loop reads every socket that has data, so a client with
 * many connections would otherwise put all of its requests in front of the next request of another client.
 */

/** Requests of one client that start in one turn of the event loop. */
const MAX_PER_TURN = 4;
/** Requests of one client that wait: as many as it may have connections, by default. */
const MAX_WAITING_PER_CLIENT = 1000;

/** Admits requests. Not limited in total: a turn serves each client that waits. */
export interface RequestTurns {
  /**
   * Calls `start` at once, or in a later turn if the client has started too many requests in this one. Returns false
   * and never calls it if too many requests of the client wait.
   * @param client any text that identifies the client
   */
  enter(client: string, start: () => void): boolean;
}

/** Creates turns in which nothing waits. @param nextTurn runs a function in the next turn of the event loop */
export function createRequestTurns(
  nextTurn: (run: () => void) => void = (run) => void setImmediate(run),
): RequestTurns {
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
      const starting = waiting.splice(0, MAX_PER_TURN);
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
      if (waiting === undefined && started < MAX_PER_TURN) {
        startedBy.set(client, started + 1);
        planTurn();
        start();
        return true;
      }
      if (waiting === undefined) waitingOf.set(client, [start]);
      else if (waiting.length < MAX_WAITING_PER_CLIENT) waiting.push(start);
      else return false;
      return true;
    },
  };
}
