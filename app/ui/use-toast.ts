/** The toasts of this tab, as a store that any component can write to. */
import { useSyncExternalStore } from 'react';
import * as CONSTANTS from '../constants.ts';
import { reduceToasts, type Toast, type ToastEvent } from './toasts.ts';

let toasts: readonly Toast[] = [];
const listeners = new Set<() => void>();
const NONE: readonly Toast[] = [];

function dispatch(event: ToastEvent): void {
  const before = toasts;
  toasts = reduceToasts(before, event);
  for (const listener of listeners) listener();
  const open = new Set(toasts.filter(({ isOpen }) => isOpen).map(({ id }) => id));
  for (const { id, isOpen, onClose } of before) if (isOpen && !open.has(id)) onClose?.();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** A toast to be shown; without an id it gets one. */
type NewToast = Omit<Toast, 'id' | 'isOpen'> & { id?: string };

const actions = {
  /** Shows a toast; returns its id. */
  add(toast: NewToast): string {
    const id = toast.id ?? crypto.randomUUID();
    dispatch({ type: 'add', toast: { ...toast, id } });
    return id;
  },
  update(id: string, change: Partial<Omit<Toast, 'id'>>): void {
    dispatch({ type: 'update', id, change });
  },
  /** Closes a toast, and removes it after its closing animation. */
  remove(id: string): void {
    dispatch({ type: 'close', id });
    setTimeout(() => dispatch({ type: 'forget', id }), CONSTANTS.toast.removalDelay);
  },
  clear(): void {
    dispatch({ type: 'clear' });
  },
};

/** Returns the actions of the list; does not subscribe to changes. */
export function useToast(): typeof actions {
  return actions;
}

/** Returns the list, and subscribes to changes. */
export function useToasts(): readonly Toast[] {
  return useSyncExternalStore(
    subscribe,
    () => toasts,
    () => NONE,
  );
}
