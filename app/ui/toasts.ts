/** The state of the toast list. Pure: timers and rendering are in other modules. */
import * as CONSTANTS from '../constants.ts';

/** A short message at the edge of the screen. */
export interface Toast {
  id: string;
  title: string;
  description?: string;
  kind: 'success' | 'error' | 'info';
  /** An action; running it closes the toast. */
  action?: { label: string; onSelect(): void };
  /** Called when the toast has closed, for any reason. */
  onClose?(): void;
  /** Milliseconds until it closes automatically; that of the constants if absent, never if `Infinity`. */
  duration?: number;
  /** Closed toasts stay in the list during their closing animation. */
  isOpen: boolean;
}

/** An event of the list. */
export type ToastEvent =
  | { type: 'add'; toast: Omit<Toast, 'isOpen'> }
  | { type: 'update'; id: string; change: Partial<Omit<Toast, 'id'>> }
  | { type: 'close'; id: string }
  | { type: 'forget'; id: string }
  | { type: 'clear' };

/** Returns the list after an event; newest last. */
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
