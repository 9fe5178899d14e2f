/** Writes the heads of a log, and records its gaps in them. */
import type { Archive } from '../archive/archive.ts';
import { listPieces } from './archived-log.ts';
import { type LogHead, withGap, writeHead } from './head.ts';
import { findOpenedHead } from './opened-head.ts';
import { coveredUntil, type LogLineage } from './pieces.ts';

/** The head of one lineage. */
export class HeadWriter {
  readonly #archive: Archive;
  /** The head in the archive. */
  #head: LogHead | undefined;
  /** The ends of gaps that no head records yet, in ascending order. */
  #gapEnds: bigint[] = [];

  constructor(archive: Archive) {
    this.#archive = archive;
  }

  /** Reads the existing head. */
  async open(lineage: LogLineage): Promise<void> {
    this.#head = await readLastHead(this.#archive, lineage);
  }

  /** Adds a gap, which the first head after its end records. Another one may follow before that head is written. */
  addGap(end: bigint): void {
    this.#gapEnds.push(end);
  }

  /** Replaces the head. Can be repeated after an error. */
  async write(lineage: LogLineage, covered: Omit<LogHead, 'beforeGaps'>): Promise<void> {
    // Log from before a gap may be stored after the gap was found.
    const isAfterGap = this.#gapEnds.some((end) => end < covered.position);
    const previous = isAfterGap && this.#head ? withGap(this.#head) : this.#head;
    const head = {
      ...covered,
      // Unknown at the start of a process.
      contentTime: covered.contentTime ?? this.#head?.contentTime,
      beforeGaps: previous?.beforeGaps ?? [],
    };
    await writeHead(this.#archive, lineage, head);
    this.#head = head;
    // Gaps that were found meanwhile are not passed.
    this.#gapEnds = this.#gapEnds.filter((end) => end >= covered.position);
  }
}

/**
 * Returns the head of a log; undefined if it has none. Records a gap after it: a process may end after it has stored log
 * after a gap, and before it has written the head.
 */
export async function readLastHead(archive: Archive, lineage: LogLineage): Promise<LogHead | undefined> {
  const head = await findOpenedHead(archive, lineage);
  if (head === undefined) return undefined;
  const pieces = await listPieces(archive.store, lineage);
  const covered = coveredUntil(pieces, head.position);
  return pieces.some(({ start }) => start > covered) ? withGap(head) : head;
}
