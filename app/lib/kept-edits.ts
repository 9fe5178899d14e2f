/** Where the browser keeps edits that are not sent yet: which entries are whose, without what is in them. */

const PREFIX = 'greenroom-board-edit-';

/** Begins the names of one person's entries, or those of everybody. */
export function keptPrefix(userId?: string): string {
  return userId === undefined ? PREFIX : `${PREFIX}${userId}-`;
}

/** A browser, or what stands for it. Reading its storage may throw where it is blocked. */
export type Keeper = Pick<Window, 'localStorage'>;

/** Does something with the storage; gives `otherwise` where it is blocked or full. */
export function withStorage<T>(browser: Keeper, work: (storage: Storage) => T, otherwise: T): T {
  try {
    return work(browser.localStorage);
  } catch {
    return otherwise;
  }
}

/** Names of entries, oldest first. */
export function keptKeys(storage: Storage, userId?: string): string[] {
  const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '');
  return keys.filter((key) => key.startsWith(keptPrefix(userId))).toSorted();
}

/** How many edits of one person, or of everybody, this browser keeps. */
export function countKeptEdits(browser: Keeper, userId?: string): number {
  return withStorage(browser, (storage) => keptKeys(storage, userId).length, 0);
}

const listeners = new Set<() => void>();

/** Calls `listener` when edits are deleted, here or in another window. Returns how to stop. */
export function watchKeptEdits(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

/** Deletes edits of one person, or of everybody, from this browser. */
export function forgetKeptEdits(browser: Keeper, userId?: string): void {
  withStorage(
    browser,
    (storage) => {
      for (const key of keptKeys(storage, userId)) storage.removeItem(key);
    },
    undefined,
  );
  for (const listener of listeners) listener();
}
