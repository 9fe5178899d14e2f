/** The number of unsent edits of the board in this browser, of all users. */
import { useSyncExternalStore } from 'react';
import { countKeptEdits, watchKeptEdits } from '../../lib/kept-edits.ts';

/** Returns 0 on the server and during hydration. */
export function useKeptCount(): number {
  return useSyncExternalStore(
    watchKeptEdits,
    () => countKeptEdits(window),
    () => 0,
  );
}
