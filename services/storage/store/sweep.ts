/**
 * Quarantines content without a row. A crash leaves such content behind between writing content and its row, or between
 * removing a row and its content. A large amount means that the database does not belong to the content or is an older
 * backup: then the sweep moves nothing.
 */
import type { FindReferenced } from './find-referenced.ts';
import type { ObjectStore, StoredContent } from './object-store.ts';

/** Content without a row is not quarantined if it is more than this share of all content and more than `maxOrphans`. */
export const MAX_ORPHANS_SHARE = 0.01;
/** Most content that one sweep moves. The next sweep moves the rest. */
const MAX_LISTED = 100_000;
/** Number of items that are moved between two checks of the signal. */
const BATCH_SIZE = 100;

/** Options of {@link sweep}. */
export interface SweepOptions {
  /**
   * Newer content is skipped, because its row may not be committed yet. This is the start of the process if it uses the
   * store exclusively, and a day ago if other nodes write to it too.
   */
  before: Date;
  findReferenced: FindReferenced;
  /** Number of items without a row that are quarantined regardless of the size of the store. */
  maxOrphans: number;
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
  isOverLimit: boolean;
}

/** Sweeps the store once. Several nodes may sweep a shared store concurrently. */
export async function sweep(store: ObjectStore, options: SweepOptions): Promise<SweepResult> {
  const { total, orphans, listed } = await findOrphans(store, options);
  const isOverLimit = orphans > options.maxOrphans && orphans > total * MAX_ORPHANS_SHARE;
  const quarantined = isOverLimit ? 0 : await quarantine(store, listed, options);
  return { total, orphans, quarantined, isOverLimit };
}

async function quarantine(
  store: ObjectStore,
  orphans: readonly StoredContent[],
  { now, signal }: SweepOptions,
): Promise<number> {
  let moved = 0;
  for (let start = 0; start < orphans.length; start += BATCH_SIZE) {
    signal?.throwIfAborted();
    moved += await store.quarantine.put(orphans.slice(start, start + BATCH_SIZE), now);
  }
  return moved;
}

async function findOrphans(
  store: ObjectStore,
  { before, findReferenced, quarantinedUploads, signal }: SweepOptions,
): Promise<{ total: number; orphans: number; listed: StoredContent[] }> {
  let [total, orphans] = [0, 0];
  const listed: StoredContent[] = [];
  for await (const batch of store.list(before)) {
    signal?.throwIfAborted();
    const found = batch.filter(
      (one) => one.kind === 'content' || !quarantinedUploads.has(one.upload.version),
    );
    if (found.length === 0) continue;
    const referenced = await findReferenced(found.map(versionOf));
    const unreferenced = found.filter((one) => !referenced.has(versionOf(one)));
    total += found.length;
    orphans += unreferenced.length;
    listed.push(...unreferenced.slice(0, MAX_LISTED - listed.length));
  }
  return { total, orphans, listed };
}

function versionOf(found: StoredContent): string {
  return found.kind === 'content' ? found.name.version : found.upload.version;
}
