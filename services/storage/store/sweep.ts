/**
 * Quarantining content without a row. A crash leaves some behind, between writing content and its row, or between removing
 * a row and its content. Much of it means that the database is not the one that belongs to the content, or is a backup
 * that is older: then nothing is moved.
 */
import type { FindKnown } from './find-known.ts';
import type { ObjectStore, StoredContent } from './object-store.ts';

/** More content without a row than this share of all content is held back, if it is also more than `mostOrphans`. */
export const MOST_ORPHANS_SHARE = 0.01;
/** Content that one sweep remembers. More is left to the next sweep. */
const MOST_REMEMBERED = 100_000;
/** Content that is moved between two looks at the signal. */
const PORTION = 100;

/** Options of {@link sweep}. */
export interface SweepOptions {
  /**
   * Younger content stays: its row may be about to be written. The start of the process where it has the store for
   * itself; a day ago where others write to it too.
   */
  before: Date;
  findKnown: FindKnown;
  /** So much content without a row is quarantined, however small the store. */
  mostOrphans: number;
  /** Versions of uploads in parts that are in quarantine already. */
  heldUploads: ReadonlySet<string>;
  /** The date that quarantined content is kept under. */
  now: Date;
  signal?: AbortSignal;
}

/** Result of a sweep. `total` counts all content that was old enough, with `orphans`, the content without a row. */
export interface Swept {
  total: number;
  orphans: number;
  /** How many were quarantined. */
  quarantined: number;
  /** There were too many orphans, and none was quarantined. */
  isHeldBack: boolean;
}

/** Sweeps the store once. Several nodes may sweep a shared store at the same time. */
export async function sweep(store: ObjectStore, options: SweepOptions): Promise<Swept> {
  const { total, orphans, remembered } = await findOrphans(store, options);
  const isHeldBack = orphans > options.mostOrphans && orphans > total * MOST_ORPHANS_SHARE;
  const quarantined = isHeldBack ? 0 : await quarantine(store, remembered, options);
  return { total, orphans, quarantined, isHeldBack };
}

async function quarantine(
  store: ObjectStore,
  orphans: readonly StoredContent[],
  { now, signal }: SweepOptions,
): Promise<number> {
  let moved = 0;
  for (let start = 0; start < orphans.length; start += PORTION) {
    signal?.throwIfAborted();
    moved += await store.quarantine.put(orphans.slice(start, start + PORTION), now);
  }
  return moved;
}

async function findOrphans(
  store: ObjectStore,
  { before, findKnown, heldUploads, signal }: SweepOptions,
): Promise<{ total: number; orphans: number; remembered: StoredContent[] }> {
  let [total, orphans] = [0, 0];
  const remembered: StoredContent[] = [];
  for await (const portion of store.list(before)) {
    signal?.throwIfAborted();
    const found = portion.filter((one) => one.kind === 'content' || !heldUploads.has(one.upload.version));
    if (found.length === 0) continue;
    const known = await findKnown(found.map(versionOf));
    const unknown = found.filter((one) => !known.has(versionOf(one)));
    total += found.length;
    orphans += unknown.length;
    remembered.push(...unknown.slice(0, MOST_REMEMBERED - remembered.length));
  }
  return { total, orphans, remembered };
}

function versionOf(found: StoredContent): string {
  return found.kind === 'content' ? found.name.version : found.upload.version;
}
