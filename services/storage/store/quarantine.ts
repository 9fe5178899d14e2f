/** Maintains the quarantine: restores content whose row exists again, and removes content whose time is over. */
import type { FindReferenced } from './find-referenced.ts';
import type { ObjectStore, Quarantined } from './object-store.ts';

/** Options of {@link maintainQuarantine}. */
export interface MaintenanceOptions {
  findReferenced: FindReferenced;
  /** Removes content that was quarantined on an earlier day; undefined removes none. */
  removeBefore: Date | undefined;
  signal?: AbortSignal;
}

/** Number of restored and removed items, and the versions of multipart uploads that stay quarantined. */
export interface MaintenanceResult {
  restored: number;
  removed: number;
  quarantinedUploads: ReadonlySet<string>;
}

/** Processes the quarantine once. Several nodes may do so concurrently. */
export async function maintainQuarantine(
  { quarantine }: Pick<ObjectStore, 'quarantine'>,
  { findReferenced, removeBefore, signal }: MaintenanceOptions,
): Promise<MaintenanceResult> {
  let [restored, removed] = [0, 0];
  const quarantinedUploads = new Set<string>();
  for await (const batch of quarantine.list()) {
    signal?.throwIfAborted();
    if (batch.length === 0) continue;
    const referenced = await findReferenced(batch.map(({ version }) => version));
    const restorable = batch.filter(({ version }) => referenced.has(version));
    const others = batch.filter(({ version }) => !referenced.has(version));
    const due = others.filter(({ since }) => removeBefore !== undefined && since < removeBefore);
    await quarantine.restore(restorable);
    await quarantine.remove(due);
    restored += restorable.length;
    removed += due.length;
    for (const item of others)
      if (isUpload(item) && !due.includes(item)) quarantinedUploads.add(item.version);
  }
  return { restored, removed, quarantinedUploads };
}

function isUpload({ kind }: Quarantined): boolean {
  return kind === 'parts';
}
