/** Serialises work by name within one instance. */

/** Pending work by name. It is separate per instance, because one process may have several. */
const pending = new WeakMap<object, Map<string, Promise<unknown>>>();

/** Runs `work` after all earlier work of the same instance and name. Settles like `work`. */
export async function runExclusively<T>(instance: object, name: string, work: () => Promise<T>): Promise<T> {
  const tasks = pending.get(instance) ?? new Map<string, Promise<unknown>>();
  pending.set(instance, tasks);
  const previous = tasks.get(name) ?? Promise.resolve();
  const task = previous.then(work, work);
  tasks.set(name, task);
  try {
    return await task;
  } finally {
    if (tasks.get(name) === task) tasks.delete(name);
  }
}
