/**
 * Saves the removals that are pending when the user leaves a page, for the next page in the same tab. Browsers
 * request the next page before they leave the old one, so its list may be older than the removal.
 */
import type { OwnerStorage } from './file-calls.ts';
import type { Entry } from './file-entry.ts';

interface SavedRemovals {
  at: number;
  removed: { ownerId: string; entry: Entry }[];
}

const KEY = 'greenroom-files-removed';
/** After this time, lists are newer than the removal. */
const EXPIRY_MS = 60_000;

/** Saves the removals when the page is left. */
export function saveRemovals(
  removed: readonly { ownerStorage: Pick<OwnerStorage, 'ownerId'>; entry: Entry }[],
): void {
  if (removed.length === 0) return;
  const saved: SavedRemovals = {
    at: Date.now(),
    removed: removed.map(({ ownerStorage: { ownerId }, entry }) => ({ ownerId, entry })),
  };
  withSessionStorage((storage) => storage.setItem(KEY, JSON.stringify(saved)));
}

/**
 * Returns the entries of a list that the previous page has removed, if they are unchanged. Each is returned
 * only once.
 */
export function consumeRemovals(ownerId: string, entries: readonly Entry[], now = Date.now()): Entry[] {
  const { at, removed } = takeSaved();
  if (now - at > EXPIRY_MS) return [];
  const removedEntries = new Set(
    removed.filter((removal) => removal.ownerId === ownerId).map(({ entry }) => JSON.stringify(entry)),
  );
  return entries.filter((entry) => removedEntries.has(JSON.stringify(entry)));
}

function takeSaved(): SavedRemovals {
  const text = withSessionStorage((storage) => {
    const saved = storage.getItem(KEY);
    storage.removeItem(KEY);
    return saved;
  });
  return text ? (JSON.parse(text) as SavedRemovals) : { at: 0, removed: [] };
}

/** Returns undefined if the browser blocks session storage. */
function withSessionStorage<T>(work: (storage: Storage) => T): T | undefined {
  try {
    return work(sessionStorage);
  } catch {
    return undefined;
  }
}
