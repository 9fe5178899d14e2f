/** Writes the heads of a log, and records its gaps in them. */
import type { ArchiveStore } from '../store/archive-store.ts';
import { listPieces } from './archived-log.ts';
import { findHead, type LogHead, withGap, writeHead } from './head.ts';
import { coveredUntil, type LogLineage } from './pieces.ts';

/** The head of one lineage. */
export class HeadWriter {
  readonly #store: ArchiveStore;
  /** The head in the archive. */
  #head: LogHead | undefined;
  /** The end of a gap that no head records yet. */
  #gapEnd: bigint | undefined;

  constructor(store: ArchiveStore) {
    this.#store = store;
  }

  /** Reads the existing head. */
  async open(lineage: LogLineage): Promise<void> {
    this.#head = await readLastHead(this.#store, lineage);
  }

  addGap(end: bigint): void {
    this.#gapEnd = end;
  }

  /** Replaces the head. Can be repeated after an error. */
  async write(lineage: LogLineage, covered: Omit<LogHead, 'beforeGaps'>): Promise<void> {
    // Log from before a gap may be stored after the gap was found.
    const isAfterGap = this.#gapEnd !== undefined && covered.position > this.#gapEnd;
    const previous = isAfterGap && this.#head ? withGap(this.#head) : this.#head;
    const head = {
      ...covered,
      // Unknown at the start of a process.
      contentTime: covered.contentTime ?? this.#head?.contentTime,
      beforeGaps: previous?.beforeGaps ?? [],
    };
    await writeHead(this.#store, lineage, head);
    this.#head = head;
    if (isAfterGap) this.#gapEnd = undefined;
  }
}

/**
 * Returns the head of a log; undefined if it has none. Records a gap after it: a process may end after it has stored log
 * after a gap, and before it has written the head.
 */
export async function readLastHead(store: ArchiveStore, lineage: LogLineage): Promise<LogHead | undefined> {
  const head = await findHead(store, lineage);
  if (head === undefined) return undefined;
  const pieces = await listPieces(store, lineage);
  const covered = coveredUntil(pieces, head.position);
  return pieces.some(({ start }) => start > covered) ? withGap(head) : head;
}
