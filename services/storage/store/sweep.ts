/**
 * Quarantines content without a row. A crash leaves such content behind between writing content and its row, or between
 * removing a row and its content. A large amount means that the database does not belong to the content or is an older
 * backup: then the sweep moves nothing.
 */
import type { FindKnown } from './find-known.ts';
import type { ObjectStore, StoredContent } from './object-store.ts';

/** Content without a row is held back if it is more than this share of all content and more than `mostOrphans`. */
export const MAX_ORPHANS_SHARE = 0.01;
/** Most content that one sweep moves. The next sweep moves the rest. */
const MAX_REMEMBERED = 100_000;
/** Number of items that are moved between two checks of the signal. */
const PORTION = 100;

/** Options of {@link sweep}. */
export interface SweepOptions {
  /**
   * Newer content is skipped, because its row may not be committed yet. This is the start of the process if it uses the
   * store exclusively, and a day ago if other nodes write to it too.
   */
  before: Date;
  findKnown: FindKnown;
  /** Number of items without a row that are quarantined regardless of the size of the store. */
  mostOrphans: number;
  /** Versions of multipart uploads that are already in quarantine. */
  quarantinedUploads: ReadonlySet<string>;
  /** The date under which content is quarantined. */
  now: Date;
  signal?: AbortSignal;
}

/**
 * Result of a sweep. `total` counts all content old enough to be checked, including `orphans`, the content without a
 * row.
 */
export interface SweepResult {
  total: number;
  orphans: number;
  /** Number of quarantined items. */
  quarantined: number;
  /** Too many orphans were found, so none was quarantined. */
  isHeldBack: boolean;
}

/** Sweeps the store once. Several nodes may sweep a shared store concurrently. */
export async function sweep(store: ObjectStore, options: SweepOptions): Promise<SweepResult> {
  const { total, orphans, remembered } = await findOrphans(store, options);
  const isHeldBack = orphans > options.mostOrphans && orphans > total * MAX_ORPHANS_SHARE;
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
  { before, findKnown, quarantinedUploads, signal }: SweepOptions,
): Promise<{ total: number; orphans: number; remembered: StoredContent[] }> {
  let [total, orphans] = [0, 0];
  const remembered: StoredContent[] = [];
  for await (const portion of store.list(before)) {
    signal?.throwIfAborted();
    const found = portion.filter(
      (one) => one.kind === 'content' || !quarantinedUploads.has(one.upload.version),
    );
    if (found.length === 0) continue;
    const known = await findKnown(found.map(versionOf));
    const unknown = found.filter((one) => !known.has(versionOf(one)));
    total += found.length;
    orphans += unknown.length;
    remembered.push(...unknown.slice(0, MAX_REMEMBERED - remembered.length));
  }
  return { total, orphans, remembered };
}

function versionOf(found: StoredContent): string {
  return found.kind === 'content' ? found.name.version : found.upload.version;
}
