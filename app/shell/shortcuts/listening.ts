/** Whether the keyboard shortcuts work yet. Elements that show shortcuts are hidden until then. */
import { useSyncExternalStore } from 'react';

let isListening = false;
const listeners = new Set<() => void>();

/** Called by the listener when it starts and when it stops. */
export function setListening(value: boolean): void {
  isListening = value;
  for (const listener of listeners) listener();
}

/** False on the server, and until the listener's code is loaded. */
export function useIsListening(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => isListening,
    () => false,
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
