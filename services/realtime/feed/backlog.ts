/**
 * Changes that were decoded and are not delivered yet: dispatched in batches, in order, and bounded. While too many of them
 * wait, the server has to wait (backpressure). Positions of the log are acknowledged once every change before them is done.
 */
import type { RowChange } from './replication/pgoutput.ts';
import type { Lsn } from './replication/wal-message.ts';

/** Most changes that are dispatched together. */
const MAX_BATCH_CHANGES = 500;
const MAX_WAITING_BYTES = 16 * 1024 * 1024;
/** Memory of a change besides its bytes. */
const CHANGE_OVERHEAD_BYTES = 512;
const FULL_EVERY_MS = 200;

/** Options of {@link createBacklog}. */
interface BacklogOptions {
  /**
   * Takes a batch. Resolves when the next one may be dispatched; `delivered` resolves when this one is done. Neither must
   * reject.
   */
  dispatch: (changes: readonly RowChange[]) => Promise<{ delivered: Promise<void> }>;
  /** Too many changes wait. */
  pause: () => void;
  /** There is room again. */
  resume: () => void;
  /** Called repeatedly while too many changes wait. */
  onFull: () => void;
  /** Every change before this position is done. */
  acknowledge: (lsn: Lsn) => void;
  /** Most bytes that may wait. */
  maxBytes?: number;
}

/** Changes that wait. */
export interface Backlog {
  add(change: RowChange): void;
  /** Everything before this position has been added. */
  reach(lsn: Lsn): void;
  /** The connection was lost: its positions are not acknowledged any more. */
  forgetPositions(): void;
  /** Drops the changes that wait, and dispatches none any more. */
  close(): void;
}

/** Creates an empty backlog. */
export function createBacklog(options: BacklogOptions): Backlog {
  const { maxBytes = MAX_WAITING_BYTES } = options;
  let waiting: RowChange[] = [];
  let waitingBytes = 0;
  let isDispatching = false;
  let isClosed = false;
  let full: NodeJS.Timeout | undefined;
  /** Changes are numbered in the order in which they were added. This is the number of the last one. */
  let added = 0;
  /** Batches that are not done, or follow one that is not, by the number of their last change. */
  const open: { last: number; isDone: boolean }[] = [];
  /** Every change up to this number is done. */
  let doneUpTo = 0;
  let positions: { after: number; lsn: Lsn }[] = [];

  async function dispatchAll(): Promise<void> {
    isDispatching = true;
    // Changes that were received together are dispatched together.
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.length > 0 && !isClosed) {
      const changes = waiting.splice(0, MAX_BATCH_CHANGES);
      const bytes = changes.reduce((sum, change) => sum + sizeOf(change), 0);
      const batch = { last: (open.at(-1)?.last ?? doneUpTo) + changes.length, isDone: false };
      open.push(batch);
      const { delivered } = await options.dispatch(changes);
      void delivered.then(() => {
        batch.isDone = true;
        settle(bytes);
      });
    }
    isDispatching = false;
  }

  function settle(bytes: number): void {
    waitingBytes -= bytes;
    for (let [first] = open; first?.isDone; [first] = open) {
      doneUpTo = first.last;
      open.shift();
    }
    acknowledgeDone();
    if (full === undefined || waitingBytes > maxBytes / 4) return;
    clearInterval(full);
    full = undefined;
    options.resume();
  }

  function acknowledgeDone(): void {
    const done = positions.findLast(({ after }) => after <= doneUpTo);
    if (done === undefined) return;
    positions = positions.filter(({ after }) => after > doneUpTo);
    options.acknowledge(done.lsn);
  }

  return {
    add(change) {
      added += 1;
      waiting.push(change);
      waitingBytes += sizeOf(change);
      if (!isDispatching) void dispatchAll();
      if (waitingBytes <= maxBytes || full !== undefined || isClosed) return;
      options.pause();
      full = setInterval(options.onFull, FULL_EVERY_MS);
    },
    reach(lsn) {
      const last = positions.at(-1);
      if (last?.after === added) last.lsn = lsn;
      else positions.push({ after: added, lsn });
      if (added === doneUpTo) acknowledgeDone();
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
