/** Maintains the quarantine: restores content whose row exists again, and removes content whose time is over. */
import type { FindKnown } from './find-known.ts';
import type { ObjectStore, Quarantined } from './object-store.ts';

/** Options of {@link maintainQuarantine}. */
export interface MaintenanceOptions {
  findKnown: FindKnown;
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
  { findKnown, removeBefore, signal }: MaintenanceOptions,
): Promise<MaintenanceResult> {
  let [restored, removed] = [0, 0];
  const quarantinedUploads = new Set<string>();
  for await (const portion of quarantine.list()) {
    signal?.throwIfAborted();
    if (portion.length === 0) continue;
    const known = await findKnown(portion.map(({ version }) => version));
    const wanted = portion.filter(({ version }) => known.has(version));
    const others = portion.filter(({ version }) => !known.has(version));
    const due = others.filter(({ since }) => removeBefore !== undefined && since < removeBefore);
    await quarantine.restore(wanted);
    await quarantine.remove(due);
    restored += wanted.length;
    removed += due.length;
    for (const held of others)
      if (isUpload(held) && !due.includes(held)) quarantinedUploads.add(held.version);
  }
  return { restored, removed, quarantinedUploads };
}

function isUpload({ kind }: Quarantined): boolean {
  return kind === 'parts';
}
