/**
 * Reads content in turns of its clients. Writing a chunk to a socket takes up to a millisecond of the event loop while the
 * system still has room to buffer it, and Node.js accepts one connection per turn of the event loop: hundreds of downloads
 * that begin together would keep new connections waiting for seconds.
 */

/** Chunks that are read for one client in one turn of the event loop. */
const CHUNKS_PER_TURN = 2;

/** Calls `start` at once or in a later turn of the event loop. */
export type ReadTurn = (start: () => void) => void;

/** Turns of all clients. */
export interface ReadTurns {
  /** The turns of a client; undefined if it is not counted, and reads whenever it likes. */
  of(client: readonly string[]): ReadTurn | undefined;
}

/** Creates turns in which nothing waits. @param nextTurn runs a function in the next turn of the event loop */
export function createReadTurns(
  nextTurn: (run: () => void) => void = (run) => void setImmediate(run),
): ReadTurns {
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
      const starting = waiting.splice(0, CHUNKS_PER_TURN);
      startedBy.set(client, starting.length);
      if (waiting.length === 0) waitingOf.delete(client);
      for (const start of starting) start();
    }
    if (startedBy.size > 0) planTurn();
  }

  function enter(client: string, start: () => void): void {
    const waiting = waitingOf.get(client);
    if (waiting !== undefined) {
      waiting.push(start);
      return;
    }
    const started = startedBy.get(client) ?? 0;
    planTurn();
    if (started >= CHUNKS_PER_TURN) {
      waitingOf.set(client, [start]);
      return;
    }
    startedBy.set(client, started + 1);
    start();
  }

  return {
    of(keys) {
      // The widest network: all addresses of a client share its turns.
      const client = keys.at(-1);
      return client === undefined ? undefined : (start) => enter(client, start);
    },
  };
}
