/** Repeats operations at fixed rates and records the durations of those within a window. */
import type { Sample } from '../report/latency.ts';
import type { Person } from './input.ts';
import type { Operation } from './operation.ts';

/** Records the operations that start while a window is open. */
export interface Recorder {
  /** Opens a window: operations are recorded from now on. */
  begin(): void;
  /** Closes the window. Resolves with its samples when all operations that began in it have ended. */
  end(): Promise<Sample[]>;
  stop(): void;
}

/**
 * Starts operations on schedule even while earlier ones are pending, so that a slow server receives as many requests as
 * a fast one. Users are assigned round-robin.
 */
export function startRecorder(operations: readonly Operation[], people: readonly Person[]): Recorder {
  let window: Promise<Sample>[] | undefined;
  let turn = 0;
  const startOne = (operation: Operation) => {
    const person = people[turn++ % people.length];
    if (person === undefined) return;
    const sample = measure(operation, person);
    window?.push(sample);
  };
  const timers = operations.map((operation) =>
    setInterval(() => startOne(operation), 1000 / operation.perSecond),
  );
  return {
    begin: () => {
      window = [];
    },
    end: async () => {
      const samples = window ?? [];
      window = undefined;
      return Promise.all(samples);
    },
    stop: () => timers.forEach(clearInterval),
  };
}

async function measure({ service, name, run }: Operation, person: Person): Promise<Sample> {
  const start = performance.now();
  const error = await run(person).then(
    () => undefined,
    (reason: Error) => `${name}: ${reason.message}`,
  );
  return { service, ms: performance.now() - start, error };
}
