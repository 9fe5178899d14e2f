/** Limits the number of processes of all functions. */
import { failure } from '../errors.ts';

/** A holder of processes, which may be asked to end them. */
interface Evictable {
  readonly isIdle: boolean;
  replace(): void;
}

/** Room for processes. */
export interface Capacity {
  /**
   * Reserves room for one process until the returned function is called. If there is none, ends the process that was
   * started first among those without requests. Rejects with `WORKER_LIMIT` if all have requests.
   */
  enter(holder: Evictable): Promise<() => void>;
}

/** Creates room for `max` processes. */
export function createCapacity(max: number): Capacity {
  /** In the order of their starts. */
  const entered: Evictable[] = [];

  function leave(holder: Evictable): void {
    const index = entered.indexOf(holder);
    if (index >= 0) entered.splice(index, 1);
  }

  return {
    async enter(holder) {
      if (entered.length >= max) {
        const idle = entered.find((other) => other.isIdle);
        if (idle === undefined) throw failure('WORKER_LIMIT');
        idle.replace();
        leave(idle);
      }
      entered.push(holder);
      let isInside = true;
      return () => {
        if (isInside) leave(holder);
        isInside = false;
      };
    },
  };
}
