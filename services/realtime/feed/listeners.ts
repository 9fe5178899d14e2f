/** Isolates the feed from its listeners: an error of a listener is logged, and the other listeners are still called. */
import type { Logger } from '@greenroom/log';

export interface Listeners<T> {
  /** Returns the function that removes the listener. */
  add(listener: (value: T) => void): () => void;
  notify(value: T): void;
}

/** Creates a set of listeners, empty at first. @param log receives the errors of listeners */
export function createListeners<T>(log: Pick<Logger, 'warn'>): Listeners<T> {
  const listeners = new Set<(value: T) => void>();
  return {
    add(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    notify(value) {
      for (const listener of listeners) notify(log, listener, value);
    },
  };
}

/** Calls one listener. Never throws. */
export function notify<T>(log: Pick<Logger, 'warn'>, listener: (value: T) => void, value: T): void {
  try {
    listener(value);
  } catch (error) {
    log.warn({ err: error }, 'a listener of the database feed failed');
  }
}
