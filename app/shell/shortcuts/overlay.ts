/** Which of the things that lie over the page on request is open, and where the focus was before. */
import { useSyncExternalStore } from 'react';

/** Only one at a time. */
export type Overlay = 'palette' | 'help' | 'unsent';

let current: Overlay | undefined;
let origin: Element | null = null;
const listeners = new Set<() => void>();

function show(overlay: Overlay | undefined): void {
  current = overlay;
  for (const listener of listeners) listener();
}

/** Opens one in the place of another. */
export function openOverlay(overlay: Overlay): void {
  if (current === undefined) {
    // A menu lies above everything else; closed, it gives the focus back to its button.
    for (const menu of document.querySelectorAll<HTMLElement>(':popover-open')) menu.hidePopover();
    origin = document.activeElement;
  }
  show(overlay);
}

export function closeOverlay(): void {
  show(undefined);
}

/** The palette's key opens and closes it. */
export function togglePalette(): void {
  if (current === 'palette') closeOverlay();
  else openOverlay('palette');
}

/** What is open; undefined if nothing is. */
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
 * For a dialog that has closed: gives the focus back, unless another one is open or a new page has taken it. Takes the
 * event of the dialog, which would put the focus elsewhere.
 */
export function returnFocus(event: Event): void {
  event.preventDefault();
  const isFree = document.activeElement === null || document.activeElement === document.body;
  if (current === undefined && isFree && origin instanceof HTMLElement) origin.focus();
}
