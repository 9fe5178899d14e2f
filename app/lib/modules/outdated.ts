/** Whether this tab runs an older build than the server. */

let isOld = false;
const listeners = new Set<() => void>();

/** Marks this tab as outdated, because the server has a newer build. Only a reload resets this. */
export function markOutdated(): void {
  if (isOld) return;
  isOld = true;
  for (const listener of listeners) listener();
}

export function isOutdated(): boolean {
  return isOld;
}

/** Subscribe function for React's `useSyncExternalStore`. */
export function subscribeToOutdated(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
