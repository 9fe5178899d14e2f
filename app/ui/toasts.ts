/** The list of toasts: which there are, and what happens to it. Pure; time and screen are elsewhere. */
import { CONSTANTS } from '../constants.ts';

/** A short message at the edge of the screen. */
export interface Toast {
  id: string;
  title: string;
  description?: string;
  kind: 'success' | 'error' | 'info';
  /** One thing that can be done about it; doing it closes the toast. */
  action?: { label: string; onSelect(): void };
  /** It has left the screen, in whatever way. */
  onClose?(): void;
  /** Milliseconds until it closes by itself; that of the constants if absent, and never with `Infinity`. */
  duration?: number;
  /** Closed toasts stay in the list while they leave. */
  isOpen: boolean;
}

/** What can happen to the list. */
export type ToastEvent =
  | { type: 'add'; toast: Omit<Toast, 'isOpen'> }
  | { type: 'update'; id: string; change: Partial<Omit<Toast, 'id'>> }
  | { type: 'close'; id: string }
  | { type: 'forget'; id: string }
  | { type: 'clear' };

/** The list after an event; newest last. */
export function reduceToasts(toasts: readonly Toast[], event: ToastEvent): readonly Toast[] {
  switch (event.type) {
    case 'add':
      return [...toasts.filter(({ id }) => id !== event.toast.id), { ...event.toast, isOpen: true }].slice(
        -CONSTANTS.toast.max,
      );
    case 'update':
      return toasts.map((toast) => (toast.id === event.id ? { ...toast, ...event.change } : toast));
    case 'close':
      return toasts.map((toast) => (toast.id === event.id ? { ...toast, isOpen: false } : toast));
    case 'forget':
      return toasts.filter(({ id }) => id !== event.id);
    case 'clear':
      return [];
  }
}
