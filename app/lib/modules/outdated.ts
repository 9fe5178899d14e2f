/** Whether this tab runs an older build than the server has by now. */

let isOld = false;
const listeners = new Set<() => void>();

/** The server has a newer build. There is no way back but a reload. */
export function markOutdated(): void {
  if (isOld) return;
  isOld = true;
  for (const listener of listeners) listener();
}

export function isOutdated(): boolean {
  return isOld;
}

/** For React's `useSyncExternalStore`. */
export function subscribeToOutdated(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
