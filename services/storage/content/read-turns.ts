/**
 * Reads content in turns of its clients. Writing a chunk to a socket takes up to a millisecond of the event loop while the
 * system still has room to buffer it, and Node.js accepts one connection per turn of the event loop: hundreds of downloads
 * that begin together would keep new connections waiting for seconds.
 */
import { createTurns, type TurnsOptions } from '@greenroom/limits';

/** Chunks that are read for one client in one turn of the event loop. */
const CHUNKS_PER_TURN = 2;

/** Calls `start` at once or in a later turn of the event loop. */
export type ReadTurn = (start: () => void) => void;

/** Turns of all clients. */
export interface ReadTurns {
  /** The turns of a client; undefined if it is not counted, and reads whenever it likes. */
  of(client: readonly string[]): ReadTurn | undefined;
}

/** Creates turns in which nothing waits. Any number of reads may wait, because downloads have a limit of their own. */
export function createReadTurns(options: Pick<TurnsOptions, 'nextTurn'> = {}): ReadTurns {
  const turns = createTurns({
    maxPerTurn: CHUNKS_PER_TURN,
    maxWaitingPerClient: Number.POSITIVE_INFINITY,
    ...options,
  });
  return {
    of(keys) {
      // The widest network: all addresses of a client share its turns.
      const client = keys.at(-1);
      return client === undefined ? undefined : (start) => void turns.enter(client, start);
    },
  };
}
