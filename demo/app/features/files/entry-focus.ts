/** Restores the focus to an entry. */

/** Stands for the path of a folder that does not exist yet: its element is the button for new folders. */
export const NEW_FOLDER = '';

/** Returns the id of the element that opens an entry; dialogs return the focus to it. */
export function entryElementId(path: string): string {
  return `file-${path}`;
}

/** Moves the focus back to the entry when a dialog closes, if the entry still exists. */
export function focusEntry(path: string, event: Event): void {
  const element = document.getElementById(entryElementId(path));
  if (!element) return;
  event.preventDefault();
  element.focus();
}
