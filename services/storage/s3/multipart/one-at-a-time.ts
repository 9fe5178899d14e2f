/** Work on one thing that must not overlap with other work on it, in this process. */

/** What is under way, by the name of the thing. */
const underWay = new Map<string, Promise<unknown>>();

/** Begins when all that was asked for before, under the same name, is over. Settles as `work` does. */
export async function oneAtATime<T>(name: string, work: () => Promise<T>): Promise<T> {
  const before = underWay.get(name) ?? Promise.resolve();
  const turn = before.then(work, work);
  underWay.set(name, turn);
  try {
    return await turn;
  } finally {
    if (underWay.get(name) === turn) underWay.delete(name);
  }
}
