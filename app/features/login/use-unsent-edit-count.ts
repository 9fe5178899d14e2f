/** The number of unsent edits in this browser, of all users. */
import { useSyncExternalStore } from 'react';
import { countUnsentEdits, subscribeToUnsentEdits } from '../../lib/unsent-edits.ts';

/** Returns 0 on the server and during hydration. */
export function useUnsentEditCount(): number {
  return useSyncExternalStore(
    subscribeToUnsentEdits,
    () => countUnsentEdits(window),
    () => 0,
  );
}
