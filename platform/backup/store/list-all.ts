/** Collects lists of values. */
import type { ArchiveStore, StoredValue } from './archive-store.ts';

/** Returns all values whose names start with `prefix`. Only for lists that fit into memory. */
export async function listAll(store: ArchiveStore, prefix: string): Promise<StoredValue[]> {
  const all: StoredValue[] = [];
  for await (const batch of store.list(prefix)) all.push(...batch);
  return all;
}
