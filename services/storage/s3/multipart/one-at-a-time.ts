/** Work on one thing that must not overlap with other work on it, in one instance. */

/** What is under way, by the name of the thing. Another instance of the process may have a thing of the same name. */
const underWay = new WeakMap<object, Map<string, Promise<unknown>>>();

/** Begins when all that was asked for before, by the same instance and under the same name, is over. Settles as `work` does. */
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
