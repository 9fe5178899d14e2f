/**
 * Keeps edits in the browser until they are sent: one entry each, so that two tabs do not write over each other. Where
 * nothing can be kept, they live as long as the page.
 */

import { type Keeper, keptKeys, keptPrefix, withStorage } from '../../lib/kept-edits.ts';
import { type Edit, readEdit, writeEdit } from './edit.ts';

/** The edits of one person in this browser. */
export interface EditStorage {
  /** All that are there, oldest first. */
  load(): Edit[];
  /** Writes down what is different between two states. */
  save(before: readonly Edit[], after: readonly Edit[]): void;
}

/** Ids of edits begin with the time, so that their order is that of their making. */
export function newEditId(now: number, random: string): string {
  return `${String(now).padStart(15, '0')}-${random}`;
}

/** See {@link EditStorage}. Other people's edits in the same browser are left alone. */
export function openEditStorage(browser: Keeper, userId: string): EditStorage {
  const prefix = keptPrefix(userId);
  return {
    load: () =>
      withStorage(
        browser,
        (storage) =>
          keptKeys(storage, userId)
            .map((key) => readEdit(storage.getItem(key) ?? ''))
            .filter((edit) => edit !== undefined),
        [],
      ),
    save(before, after) {
      for (const edit of after) {
        if (!before.includes(edit))
          withStorage(browser, (storage) => storage.setItem(prefix + edit.id, writeEdit(edit)), undefined);
      }
      const kept = new Set(after.map(({ id }) => id));
      for (const { id } of before) {
        if (!kept.has(id)) withStorage(browser, (storage) => storage.removeItem(prefix + id), undefined);
      }
    },
  };
}
