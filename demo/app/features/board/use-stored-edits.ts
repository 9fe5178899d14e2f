/** Saves the edits of a page in the browser's storage, and restores them. */
import { type Dispatch, type RefObject, useEffect, useRef } from 'react';
import type { BoardEvent } from './board-state.ts';
import type { Edit } from './edit.ts';
import { type EditStorage, openEditStorage } from './edit-storage.ts';

/** Returns the storage, which is set after hydration. */
export function useStoredEdits(
  userId: string,
  edits: readonly Edit[],
  dispatch: Dispatch<BoardEvent>,
): RefObject<EditStorage | undefined> {
  const storage = useRef<EditStorage>(undefined);
  const saved = useRef<readonly Edit[]>([]);
  const isRestored = useRef(false);
  useEffect(() => {
    storage.current = openEditStorage(window, userId);
    saved.current = storage.current.load();
    dispatch({ type: 'restored', edits: saved.current });
  }, [userId, dispatch]);
  useEffect(() => {
    // On the first run, the restored edits are not in the state yet.
    if (isRestored.current) {
      storage.current?.save(saved.current, edits);
      saved.current = edits;
    }
    isRestored.current = true;
  }, [edits]);
  return storage;
}
