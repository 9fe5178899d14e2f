/**
 * Turns: of several who want the same thing at the same time, one after the other. Only within this process; what other
 * processes do is the database's business.
 */

/** Lets work with the same key run one after the other. */
type TakeTurn = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/** Creates turns. A key is forgotten once nobody waits for it. */
export function createTurns(): TakeTurn {
  const last = new Map<string, Promise<unknown>>();
  return (key, work) => {
    const before = last.get(key) ?? Promise.resolve();
    const turn = before.then(work, work);
    const done = turn.then(forget, forget);
    function forget() {
      if (last.get(key) === done) last.delete(key);
    }
    last.set(key, done);
    return turn;
  };
}
