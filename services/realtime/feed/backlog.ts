/**
 * A bounded queue of decoded changes that are not delivered yet. It dispatches them in batches, in order. While too
 * many changes wait, the server has to wait (backpressure). A position of the log is acknowledged after every change
 * before it is done.
 */

import type { Lsn } from '@greenroom/postgres';
import type { RowChange } from './replication/pgoutput.ts';

/** Maximum number of changes in a batch. */
const MAX_BATCH_CHANGES = 500;
const MAX_WAITING_BYTES = 16 * 1024 * 1024;
/** Memory of a change in addition to its bytes. */
const CHANGE_OVERHEAD_BYTES = 512;
const FULL_EVERY_MS = 200;

/** Options of {@link createBacklog}. */
interface BacklogOptions {
  /**
   * Dispatches a batch. Resolves when the next one may be dispatched; `delivered` resolves when this one is done.
   * Neither may reject.
   */
  dispatch: (changes: readonly RowChange[]) => Promise<{ delivered: Promise<void> }>;
  /** Called when too many changes wait. */
  pause: () => void;
  /** Called when the backlog has room again. */
  resume: () => void;
  /** Called repeatedly while too many changes wait. */
  onFull: () => void;
  /** Called when every change before this position is done. */
  acknowledge: (lsn: Lsn) => void;
  /** Maximum number of waiting bytes. */
  maxBytes?: number;
}

/** The queue of undelivered changes. */
export interface Backlog {
  add(change: RowChange): void;
  /** Reports that every change before this position has been added. */
  reach(lsn: Lsn): void;
  /** Discards all positions, which are invalid after the connection was lost. */
  forgetPositions(): void;
  /** Drops the waiting changes and stops dispatching. */
  close(): void;
}

/** Creates an empty backlog. It holds at most `maxBytes` of undelivered changes before it calls `pause`. */
export function createBacklog(options: BacklogOptions): Backlog {
  const { maxBytes = MAX_WAITING_BYTES } = options;
  let waiting: RowChange[] = [];
  let waitingBytes = 0;
  let isDispatching = false;
  let isClosed = false;
  let full: NodeJS.Timeout | undefined;
  /** Number of the last added change. Changes are numbered in the order in which they are added. */
  let added = 0;
  /** Batches that are not done or follow an unfinished batch, by the number of their last change. */
  const open: { last: number; isDone: boolean }[] = [];
  /** Every change up to this number is done. */
  let lastDone = 0;
  let positions: { after: number; lsn: Lsn }[] = [];

  async function dispatchAll(): Promise<void> {
    isDispatching = true;
    // Yields once, so that changes that were received together are dispatched together.
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.length > 0 && !isClosed) {
      const changes = waiting.splice(0, MAX_BATCH_CHANGES);
      const bytes = changes.reduce((sum, change) => sum + sizeOf(change), 0);
      const batch = { last: (open.at(-1)?.last ?? lastDone) + changes.length, isDone: false };
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
      lastDone = first.last;
      open.shift();
    }
    acknowledgeDone();
    if (full === undefined || waitingBytes > maxBytes / 4) return;
    clearInterval(full);
    full = undefined;
    options.resume();
  }

  function acknowledgeDone(): void {
    const done = positions.findLast(({ after }) => after <= lastDone);
    if (done === undefined) return;
    positions = positions.filter(({ after }) => after > lastDone);
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
      if (added === lastDone) acknowledgeDone();
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
