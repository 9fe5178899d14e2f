/** The list of toasts: which there are, and what happens to it. Pure; time and screen are elsewhere. */

/** How long a toast stays, in milliseconds. */
export const TOAST_DURATION_MS = 5_000;
/** As many are kept; older ones give way. */
export const MAX_TOASTS = 5;
/** Time in milliseconds for a closed toast to leave the screen. */
export const TOAST_REMOVAL_MS = 200;
/** Distance in pixels after which a swipe closes a toast. */
export const TOAST_SWIPE_PX = 50;
/** Key that moves the focus to the toasts. */
export const TOAST_HOTKEY = 'F8';

/** A short message at the edge of the screen. */
export interface Toast {
  id: string;
  title: string;
  description?: string;
  kind: 'success' | 'error';
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
        -MAX_TOASTS,
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
