/**
 * The `localStorage` entries that hold edits not sent yet: finds, counts and deletes them without reading
 * their content.
 */

const PREFIX = 'greenroom-board-edit-';

/** Prefix of the names of one user's entries, or of all users' entries. */
export function unsentEditPrefix(userId?: string): string {
  return userId === undefined ? PREFIX : `${PREFIX}${userId}-`;
}

/** A window or a test double. Reading `localStorage` throws if the browser blocks it. */
export type StorageWindow = Pick<Window, 'localStorage'>;

/** Runs `work` with the storage; returns `fallback` if the storage is blocked or full. */
export function withStorage<T>(browser: StorageWindow, work: (storage: Storage) => T, fallback: T): T {
  try {
    return work(browser.localStorage);
  } catch {
    return fallback;
  }
}

/** Returns the names of the entries, oldest first. */
export function unsentEditKeys(storage: Storage, userId?: string): string[] {
  const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '');
  return keys.filter((key) => key.startsWith(unsentEditPrefix(userId))).toSorted();
}

/** Returns how many edits of one user, or of all users, this browser keeps. */
export function countUnsentEdits(browser: StorageWindow, userId?: string): number {
  return withStorage(browser, (storage) => unsentEditKeys(storage, userId).length, 0);
}

const listeners = new Set<() => void>();

/**
 * Calls `listener` when edits are deleted, in this window or another. Returns a function that unsubscribes.
 */
export function subscribeToUnsentEdits(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

/** Deletes the edits of one user, or of all users, from this browser. */
export function deleteUnsentEdits(browser: StorageWindow, userId?: string): void {
  withStorage(
    browser,
    (storage) => {
      for (const key of unsentEditKeys(storage, userId)) storage.removeItem(key);
    },
    undefined,
  );
  for (const listener of listeners) listener();
}
