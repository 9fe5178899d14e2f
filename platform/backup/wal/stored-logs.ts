/** Lists the logs of all lineages of an archive. With keys, only heads with a right seal are believed. */
import type { Archive } from '../archive/archive.ts';
import { lineageOfFile } from '../archive/layout.ts';
import type { ArchiveError } from '../errors.ts';
import type { ArchiveStore } from '../store/archive-store.ts';
import { type CoveredPoint, findHead } from './head.ts';
import { findOpenedHead } from './opened-head.ts';
import { type LogRange, parsePieceName } from './pieces.ts';

/** A piece in a list. */
interface StoredPiece extends LogRange {
  /** Bytes in the archive. */
  storedBytes: number;
}

/** The log of a lineage. */
export interface StoredLog {
  pieces: readonly StoredPiece[];
  /** Ends of parts without gaps, and the times that they cover. */
  points: readonly CoveredPoint[];
  /** The content of all objects whose rows were committed until then is stored; undefined if nothing is known. */
  contentUntil: Date | undefined;
}

/** Lineages and their logs. */
export type StoredLogs = ReadonlyMap<string, StoredLog>;

/** How the heads are read. */
interface ReadOptions {
  /** With its keys. Default: without a key. */
  archive?: Archive | undefined;
  /** Called with the error of each head that is damaged, which counts as none. */
  onRejected?: ((error: ArchiveError) => void) | undefined;
}

/** Reads the names of all pieces, and the heads. */
export async function readStoredLogs(
  store: ArchiveStore,
  { archive, onRejected }: ReadOptions = {},
): Promise<StoredLogs> {
  const pieces = new Map<string, StoredPiece[]>();
  for await (const batch of store.list('wal/')) {
    for (const { name, size } of batch) {
      const lineage = lineageOfFile(name);
      if (lineage === undefined) continue;
      const list = pieces.get(lineage) ?? [];
      pieces.set(lineage, list);
      const range = parsePieceName(name);
      if (range !== undefined) list.push({ ...range, storedBytes: size });
    }
  }
  const logs = new Map<string, StoredLog>();
  for (const [lineage, list] of pieces) {
    const [systemId = '', timeline] = lineage.split('-');
    const named = { systemId, timeline: Number(timeline) };
    const head = archive ? await findOpenedHead(archive, named, onRejected) : await findHead(store, named);
    const points = head === undefined ? [] : [...head.beforeGaps, head];
    logs.set(lineage, { pieces: list, points, contentUntil: head?.contentTime });
  }
  return logs;
}
