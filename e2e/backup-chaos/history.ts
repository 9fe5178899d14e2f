/** The history of an instance: its rounds, and the times that can be restored. */
import type { ServerEnd } from './compare.ts';
import { Journal, type State } from './journal.ts';
import type { TimeRange } from './subject.ts';

/** The time of a load. */
export interface LoadWindow extends TimeRange {
  era: Era;
}

/** The time between two restores that the instance went on with. */
export interface Era {
  journal: Journal;
  startedAt: number;
  /** When the first backup existed; undefined before. Later times can be restored. */
  coveredFrom: number | undefined;
  /** The last time of which it is known that it could be restored. */
  coveredTo: number;
  /** The content of objects until then is stored. */
  contentUntil: number;
  ends: ServerEnd[];
}

/** The eras of an instance, and their loads. */
export class History {
  readonly windows: LoadWindow[] = [];
  #era: Era = newEra();
  #acknowledged = 0;

  get era(): Era {
    return this.#era;
  }

  /** Number of acknowledged writes. */
  get acknowledged(): number {
    return this.#acknowledged + this.#era.journal.acknowledged;
  }

  addWindow({ from, to }: TimeRange): LoadWindow {
    const window = { from, to, era: this.#era };
    this.windows.push(window);
    return window;
  }

  /** The instance goes on with a restored state. */
  beginEra(startedAt: number, state: State): void {
    this.#acknowledged += this.#era.journal.acknowledged;
    this.#era = newEra(startedAt, state);
  }
}

/** Returns the part of a load that can be restored; undefined if there is none. */
export function restorablePart({ from, to, era }: LoadWindow): TimeRange | undefined {
  const part = {
    from: Math.max(from, era.coveredFrom ?? Number.POSITIVE_INFINITY),
    to: Math.min(to, era.coveredTo),
  };
  return part.from <= part.to ? part : undefined;
}

function newEra(startedAt = Date.now(), state?: State): Era {
  return {
    journal: new Journal(state),
    startedAt,
    coveredFrom: undefined,
    coveredTo: 0,
    contentUntil: 0,
    ends: [],
  };
}
