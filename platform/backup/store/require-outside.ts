/** Whether an archive is in a folder that it backs up: each backup would contain all former ones. */
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ArchiveError } from '../errors.ts';
import type { ArchiveStore } from './archive-store.ts';
import { futureRealPath } from './future-real-path.ts';

/**
 * Rejects with kind `refused` if a store is in one of these folders, or is one of them. Links are followed; folders that
 * do not exist contain nothing.
 */
export async function requireOutside(store: ArchiveStore, folders: readonly string[]): Promise<void> {
  if (store.path === undefined) return;
  const parents = await identitiesUpwards(await futureRealPath(store.path));
  for (const folder of folders) {
    const identity = await identityOf(folder);
    if (identity !== undefined && parents.has(identity))
      throw new ArchiveError(
        'refused',
        `${store.location} is in ${folder}, which is backed up, so each backup would contain all former ones: choose a place outside of it, best on another disk; an archive can be moved there by mv`,
      );
  }
}

/** Returns the identities of a path and of all folders above it. */
async function identitiesUpwards(path: string): Promise<Set<string>> {
  const found = new Set<string>();
  for (let at = path; ; at = dirname(at)) {
    const identity = await identityOf(at);
    if (identity !== undefined) found.add(identity);
    if (dirname(at) === at) return found;
  }
}

/** Two paths of one folder have the same identity, also where case or mounts make the paths differ. */
async function identityOf(path: string): Promise<string | undefined> {
  return stat(path, { bigint: true }).then(
    ({ dev, ino }) => `${dev} ${ino}`,
    () => undefined,
  );
}
