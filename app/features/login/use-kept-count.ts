/** How many edits of the board this browser keeps, whosever they are. */
import { useSyncExternalStore } from 'react';
import { countKeptEdits, watchKeptEdits } from '../../lib/kept-edits.ts';

/** 0 on the server, and while the page comes alive. */
export function useKeptCount(): number {
  return useSyncExternalStore(
    watchKeptEdits,
    () => countKeptEdits(window),
    () => 0,
  );
}
