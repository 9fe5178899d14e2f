/**
 * Removals that were pending when a page was left, for the next page in the same tab: browsers request it
 * before they leave the old one, so its list may be older than the removal.
 */
import type { OwnerStorage } from './file-calls.ts';
import type { Entry } from './file-entry.ts';

interface SavedRemovals {
  at: number;
  removed: { ownerId: string; entry: Entry }[];
}

const KEY = 'greenroom-files-removed';
/** A later page has loaded a newer list. */
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
  withSession((storage) => storage.setItem(KEY, JSON.stringify(saved)));
}

/**
 * Returns the entries of a list that the previous page has removed, if they are unchanged. Each is returned
 * only once.
 */
export function takeRemovals(ownerId: string, entries: readonly Entry[], now = Date.now()): Entry[] {
  const { at, removed } = read();
  if (now - at > EXPIRY_MS) return [];
  const gone = new Set(
    removed.filter((each) => each.ownerId === ownerId).map(({ entry }) => JSON.stringify(entry)),
  );
  return entries.filter((entry) => gone.has(JSON.stringify(entry)));
}

function read(): SavedRemovals {
  const text = withSession((storage) => {
    const kept = storage.getItem(KEY);
    storage.removeItem(KEY);
    return kept;
  });
  return text ? (JSON.parse(text) as SavedRemovals) : { at: 0, removed: [] };
}

/** The browser may block session storage. */
function withSession<T>(work: (storage: Storage) => T): T | undefined {
  try {
    return work(sessionStorage);
  } catch {
    return undefined;
  }
}
