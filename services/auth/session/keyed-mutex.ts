/** A mutex per key, within this process. The database serialises work across processes. */

/** Runs tasks with the same key one at a time, in order of arrival. */
type RunExclusive = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/** Creates a keyed mutex. A key is removed when its last task has finished. */
export function createKeyedMutex(): RunExclusive {
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
