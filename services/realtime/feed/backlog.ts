/**
 * Changes that have been read and are not told yet: taken out in batches, in order, and bounded. With too many of them
 * waiting the server has to wait too; positions of the log are done with when everything before them is.
 */
import type { RowChange } from './replication/pgoutput.ts';
import type { Lsn } from './replication/wal-message.ts';

/** So many changes are looked at together. */
const MAX_BATCH_CHANGES = 500;
const MAX_WAITING_BYTES = 16 * 1024 * 1024;
/** A change in memory is more than its bytes. */
const CHANGE_OVERHEAD_BYTES = 512;
const LOOK_EVERY_MS = 200;

/** Options of {@link createBacklog}. */
interface BacklogOptions {
  /**
   * Takes the next batch. Resolves when the one after it may be taken, with what resolves when everybody has been told.
   * Neither must reject.
   */
  take: (changes: readonly RowChange[]) => Promise<{ told: Promise<void> }>;
  /** Too much is waiting; and: there is room again. */
  pause: () => void;
  resume: () => void;
  /** Again and again while too much is waiting. */
  onFull: () => void;
  acknowledge: (lsn: Lsn) => void;
  /** Most that may wait, in bytes. */
  maxBytes?: number;
}

/** What waits. */
interface Backlog {
  add(change: RowChange): void;
  /** Everything before this position has been added. */
  reach(lsn: Lsn): void;
  /** Positions of a connection that is gone mean nothing to the next one. */
  forgetPositions(): void;
  /** Takes nothing any more. */
  close(): void;
}

/** Makes an empty one. */
export function createBacklog(options: BacklogOptions): Backlog {
  const { maxBytes = MAX_WAITING_BYTES } = options;
  let waiting: RowChange[] = [];
  let waitingBytes = 0;
  let isTaking = false;
  let isClosed = false;
  let full: NodeJS.Timeout | undefined;
  /** Numbers of changes, in the order in which they came. */
  let added = 0;
  /** The last numbers of batches that are not told yet, in order. */
  const open: { last: number; isTold: boolean }[] = [];
  let toldUpTo = 0;
  let positions: { after: number; lsn: Lsn }[] = [];

  async function takeAll(): Promise<void> {
    isTaking = true;
    // What is read in one go is taken in one go.
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.length > 0 && !isClosed) {
      const changes = waiting.splice(0, MAX_BATCH_CHANGES);
      const bytes = changes.reduce((sum, change) => sum + sizeOf(change), 0);
      const batch = { last: (open.at(-1)?.last ?? toldUpTo) + changes.length, isTold: false };
      open.push(batch);
      const { told } = await options.take(changes);
      void told.then(() => {
        batch.isTold = true;
        settle(bytes);
      });
    }
    isTaking = false;
  }

  function settle(bytes: number): void {
    waitingBytes -= bytes;
    for (let [first] = open; first?.isTold; [first] = open) {
      toldUpTo = first.last;
      open.shift();
    }
    acknowledgeDone();
    if (full === undefined || waitingBytes > maxBytes / 4) return;
    clearInterval(full);
    full = undefined;
    options.resume();
  }

  function acknowledgeDone(): void {
    const done = positions.findLast(({ after }) => after <= toldUpTo);
    if (done === undefined) return;
    positions = positions.filter(({ after }) => after > toldUpTo);
    options.acknowledge(done.lsn);
  }

  return {
    add(change) {
      added += 1;
      waiting.push(change);
      waitingBytes += sizeOf(change);
      if (!isTaking) void takeAll();
      if (waitingBytes <= maxBytes || full !== undefined || isClosed) return;
      options.pause();
      full = setInterval(options.onFull, LOOK_EVERY_MS);
    },
    reach(lsn) {
      const last = positions.at(-1);
      if (last?.after === added) last.lsn = lsn;
      else positions.push({ after: added, lsn });
      if (added === toldUpTo) acknowledgeDone();
    },
    forgetPositions() {
      positions = [];
    },
    close() {
      isClosed = true;
      waiting = [];
      clearInterval(full);
    },
  };
}

function sizeOf({ bytes }: RowChange): number {
  return bytes + CHANGE_OVERHEAD_BYTES;
}
