/** Whether the page hears the keyboard yet. What stands for its shortcuts shows itself only then. */
import { useSyncExternalStore } from 'react';

let isListening = false;
const watchers = new Set<() => void>();

/** Called by the listener, when it begins and when it ends. */
export function setListening(value: boolean): void {
  isListening = value;
  for (const watcher of watchers) watcher();
}

/** False on the server, and until the listener's code has come. */
export function useIsListening(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => isListening,
    () => false,
  );
}

function subscribe(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}
