/** Serialises work by name within one instance. */

/** Pending work by name. It is separate per instance, because one process may have several. */
const underWay = new WeakMap<object, Map<string, Promise<unknown>>>();

/** Runs `work` after all earlier work of the same instance and name. Settles like `work`. */
export async function oneAtATime<T>(instance: object, name: string, work: () => Promise<T>): Promise<T> {
  const turns = underWay.get(instance) ?? new Map<string, Promise<unknown>>();
  underWay.set(instance, turns);
  const before = turns.get(name) ?? Promise.resolve();
  const turn = before.then(work, work);
  turns.set(name, turn);
  try {
    return await turn;
  } finally {
    if (turns.get(name) === turn) turns.delete(name);
  }
}
