/** Keeps the edits of a page in the browser's storage, and brings back what is kept there. */
import { type Dispatch, type RefObject, useEffect, useRef } from 'react';
import type { BoardEvent } from './board-state.ts';
import type { Edit } from './edit.ts';
import { type EditStorage, openEditStorage } from './edit-storage.ts';

/** The storage, once the page is alive. */
export function useKeptEdits(
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
    // The first time, what was kept is not in the state yet.
    if (isRestored.current) {
      storage.current?.save(saved.current, edits);
      saved.current = edits;
    }
    isRestored.current = true;
  }, [edits]);
  return storage;
}
