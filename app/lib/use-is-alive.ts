/** Whether scripts run: false on the server and while the page comes alive. */
import { useSyncExternalStore } from 'react';

const subscribe = () => () => {};

/** See the head of this file. */
export function useIsAlive(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => true,
    () => false,
  );
}
