/**
 * Runs work of concurrent requests in groups, as databases group commits. Items that arrive while a group runs form the
 * next group. If no group runs, the first item waits for the other items of its turn of the event loop. If the last group
 * had several items, then more are probably on their way, and the first item waits a little longer.
 *
 *             run               gathered
 *     idle ────────► gathering ──────────► running ◄─┐
 *      ▲                                    │   │    │ ended or stalled, items wait
 *      │      ended or stalled, none waits  │   └────┘
 *      └────────────────────────────────────┘
 *
 * A group that stalls, e.g. because it waits for a connection, runs on beside the next one.
 */
import { runForClient } from '../fair-database.ts';

/** Time in which items gather after a group of several items, in milliseconds. */
const GATHER_MS = 1;
/** Time after which a running group no longer delays the next one, in milliseconds. */
const STALL_MS = 250;

/** Options of {@link GroupQueue}. */
interface GroupQueueOptions<Item, Result> {
  /** Most items of one group. */
  maxItems: number;
  /** Two items of the same key never share a group. */
  keyOf(item: Item): string;
  /**
   * Runs a group, counted for none of its clients. Returns the results in the order of the items. If it rejects, all
   * items are rejected with its error.
   */
  runGroup(items: readonly Item[]): Promise<readonly Result[]>;
}

type QueueState = 'idle' | 'gathering' | 'running';

interface Waiting<Item, Result> {
  item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/** Items that wait, and the state of their groups. */
export class GroupQueue<Item, Result> {
  readonly #options: GroupQueueOptions<Item, Result>;
  #state: QueueState = 'idle';
  /** In the order of arrival. */
  #waiting: Waiting<Item, Result>[] = [];
  #lastSize = 0;

  constructor(options: GroupQueueOptions<Item, Result>) {
    this.#options = options;
  }

  /** Runs an item in the next group that it may join. */
  run(item: Item): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    this.#waiting.push({ item, resolve, reject });
    if (this.#state === 'idle') {
      this.#state = 'gathering';
      runForClient([], () => this.#gather());
    }
    return promise;
  }

  #gather(): void {
    const start = () => void this.#runGroups();
    if (this.#lastSize > 1) setTimeout(start, GATHER_MS);
    else setImmediate(start);
  }

  async #runGroups(): Promise<void> {
    this.#state = 'running';
    while (this.#waiting.length > 0) await endOrStall(this.#runNext(this.#takeGroup()));
    this.#state = 'idle';
  }

  /** Never rejects. */
  async #runNext(group: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.#options.runGroup(group.map(({ item }) => item));
      for (const [index, { resolve }] of group.entries()) resolve(results[index] as Result);
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }

  /** Removes the items of the next group from those that wait. */
  #takeGroup(): Waiting<Item, Result>[] {
    const { maxItems, keyOf } = this.#options;
    const keys = new Set<string>();
    const group: Waiting<Item, Result>[] = [];
    this.#waiting = this.#waiting.filter((waiting) => {
      const key = keyOf(waiting.item);
      if (group.length === maxItems || keys.has(key)) return true;
      keys.add(key);
      group.push(waiting);
      return false;
    });
    this.#lastSize = group.length;
    return group;
  }
}

/** Resolves when the work has ended, or after {@link STALL_MS}. The work never rejects. */
function endOrStall(work: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, STALL_MS).unref();
    void work.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
