/** The overlay that is open, and the element that had the focus before. */
import { useSyncExternalStore } from 'react';

/** Only one overlay is open at a time. */
export type Overlay = 'palette' | 'help' | 'unsent';

let current: Overlay | undefined;
let origin: Element | null = null;
const listeners = new Set<() => void>();

function show(overlay: Overlay | undefined): void {
  current = overlay;
  for (const listener of listeners) listener();
}

/** Opens an overlay, replacing an open one. */
export function openOverlay(overlay: Overlay): void {
  if (current === undefined) {
    // A menu is above everything else; when it closes, it returns the focus to its button.
    for (const menu of document.querySelectorAll<HTMLElement>(':popover-open')) menu.hidePopover();
    origin = document.activeElement;
  }
  show(overlay);
}

export function closeOverlay(): void {
  show(undefined);
}

/** Toggles the palette. */
export function togglePalette(): void {
  if (current === 'palette') closeOverlay();
  else openOverlay('palette');
}

/** Returns the open overlay; undefined if there is none. */
export function useOverlay(): Overlay | undefined {
  return useSyncExternalStore(
    subscribe,
    () => current,
    () => undefined,
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Restores the focus after a dialog has closed, unless another dialog is open or a new page has the focus.
 * Prevents the default of the dialog's event, which would move the focus elsewhere.
 */
export function returnFocus(event: Event): void {
  event.preventDefault();
  const isFree = document.activeElement === null || document.activeElement === document.body;
  if (current === undefined && isFree && origin instanceof HTMLElement) origin.focus();
}
