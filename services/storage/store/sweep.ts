/**
 * Removing content without a row: what a crash leaves over, between writing content and its row, or between removing a
 * row and its content.
 */
import type { ContentName, ObjectStore, StoredContent } from './object-store.ts';

/** Which of these versions a row names: of an object, of an upload in parts, or of a resumable one. */
export type FindKnown = (versions: readonly string[]) => Promise<ReadonlySet<string>>;

/** Of a sweep. */
export interface SweepOptions {
  /**
   * What is younger stays: its row may be about to be written. The start of the process where it has the store for
   * itself; a day ago where others write to it too.
   */
  before: Date;
  findKnown: FindKnown;
  signal?: AbortSignal;
}

/** How much was removed. */
export interface Swept {
  contents: number;
  uploads: number;
}

/** Sweeps the store once, a portion after the other. A shared store is safe to be swept by several nodes. */
export async function sweep(store: ObjectStore, { before, findKnown, signal }: SweepOptions): Promise<Swept> {
  const swept = { contents: 0, uploads: 0 };
  for await (const portion of store.list(before)) {
    signal?.throwIfAborted();
    if (portion.length === 0) continue;
    const known = await findKnown(portion.map(versionOf));
    const unknown = portion.filter((found) => !known.has(versionOf(found)));
    swept.contents += await removeContents(store, unknown);
    swept.uploads += await abortUploads(store, unknown);
  }
  return swept;
}

function versionOf(found: StoredContent): string {
  return found.kind === 'content' ? found.name.version : found.upload.version;
}

async function removeContents(store: ObjectStore, unknown: readonly StoredContent[]): Promise<number> {
  const names = unknown.flatMap((found): ContentName[] => (found.kind === 'content' ? [found.name] : []));
  if (names.length > 0) await store.remove(names);
  return names.length;
}

async function abortUploads(store: ObjectStore, unknown: readonly StoredContent[]): Promise<number> {
  const uploads = unknown.flatMap((found) => (found.kind === 'parts' ? [found.upload] : []));
  for (const upload of uploads) await store.abortParts(upload);
  return uploads.length;
}
