/** Whether the component is hydrated: false on the server and during hydration. */
import { useSyncExternalStore } from 'react';

const subscribe = () => () => {};

/** Returns whether scripts run: false on the server and during hydration. */
export function useIsHydrated(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => true,
    () => false,
  );
}
