/** Compares a restored state with the journal of the load. Pure. */
import {
  allowedValues,
  type Journal,
  KINDS,
  type Kind,
  type State,
  type StateBounds,
  type Write,
} from './journal.ts';

/** The end of a server process, after which content that it held for the backup is lost. */
export interface ServerEnd {
  time: number;
  /** The content of objects until then was certainly stored. */
  contentUntil: number;
}

/** The stored content of objects. */
interface StoredContent {
  ends: readonly ServerEnd[];
  /** The content of all objects until then is stored, except for objects that were deleted before an end. */
  until: number;
}

/** An item that differs from its journal. */
export interface Deviation {
  kind: Kind;
  id: string;
  found: string | undefined;
  allowed: (string | undefined)[];
  writes: readonly Write[];
}

/** Result of {@link compare}. */
interface Comparison {
  deviations: Deviation[];
  /** Missing objects whose content was not stored yet, or was not stored before they were deleted and the server ended. */
  unstoredObjects: string[];
}

/** Compares all items. */
export function compare(
  journal: Journal,
  state: State,
  { bounds, content }: { bounds: StateBounds; content: StoredContent },
): Comparison {
  const exact = { ...bounds, after: Math.max(bounds.after, newestWrite(journal, state)) };
  const result: Comparison = { deviations: [], unstoredObjects: [] };
  for (const kind of KINDS) {
    for (const id of new Set([...journal.ids(kind), ...state[kind].keys()])) {
      const writes = journal.writesOf(kind, id);
      const found = state[kind].get(id);
      const allowed = allowedValues(writes, exact);
      if (allowed.has(found)) continue;
      if (kind === 'object' && found === undefined && mayLackContent(writes, exact, content))
        result.unstoredObjects.push(id);
      else result.deviations.push({ kind, id, found, allowed: [...allowed], writes });
    }
  }
  return result;
}

/**
 * Returns the time before the newest request whose write is certainly in the state. A state that contains it contains
 * everything that was acknowledged before.
 */
function newestWrite(journal: Journal, state: State): number {
  let newest = 0;
  for (const kind of KINDS) {
    for (const [id, value] of state[kind]) {
      const writes = journal.writesOf(kind, id).filter((write) => write.value === value);
      // Only a value that was written once identifies its write.
      if (writes.length === 1) newest = Math.max(newest, writes[0]?.sentAt ?? 0);
    }
  }
  return newest;
}

/** Whether the archive may lack content that the object may have had. */
function mayLackContent(
  writes: readonly Write[],
  bounds: StateBounds,
  { ends, until }: StoredContent,
): boolean {
  const allowed = allowedValues(writes, bounds);
  return writes.some((write, index) => {
    if (write.value === undefined || !allowed.has(write.value)) return false;
    const writtenAt = write.acknowledgedAt ?? Number.POSITIVE_INFINITY;
    const removedAt = writes[index + 1]?.sentAt ?? Number.POSITIVE_INFINITY;
    return (
      writtenAt >= until ||
      ends.some(({ time, contentUntil }) => removedAt <= time && writtenAt >= contentUntil)
    );
  });
}
