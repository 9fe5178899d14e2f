/**
 * Stores edits in the browser until they are sent: one entry each, so that two tabs do not overwrite each
 * other. If the browser blocks storage, edits are lost with the page.
 */

import { type StorageWindow, unsentEditKeys, unsentEditPrefix, withStorage } from 'greenroom/app';
import { type Edit, readEdit, writeEdit } from './edit.ts';

/** The stored edits of one user. */
export interface EditStorage {
  /** Returns all stored edits, oldest first. */
  load(): Edit[];
  /** Saves the difference between two states. */
  save(before: readonly Edit[], after: readonly Edit[]): void;
}

/** Returns an id that begins with the time, so that ids sort by creation. */
export function newEditId(now: number, random: string): string {
  return `${String(now).padStart(15, '0')}-${random}`;
}

/** Opens the storage of one user. Edits of other users in the same browser are not affected. */
export function openEditStorage(browser: StorageWindow, userId: string): EditStorage {
  const prefix = unsentEditPrefix(userId);
  return {
    load: () =>
      withStorage(
        browser,
        (storage) =>
          unsentEditKeys(storage, userId)
            .map((key) => readEdit(storage.getItem(key) ?? ''))
            .filter((edit) => edit !== undefined),
        [],
      ),
    save(before, after) {
      for (const edit of after) {
        if (!before.includes(edit))
          withStorage(browser, (storage) => storage.setItem(prefix + edit.id, writeEdit(edit)), undefined);
      }
      const remaining = new Set(after.map(({ id }) => id));
      for (const { id } of before) {
        if (!remaining.has(id)) withStorage(browser, (storage) => storage.removeItem(prefix + id), undefined);
      }
    },
  };
}
