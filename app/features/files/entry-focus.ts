/** How the focus finds an entry. */

/** In the place of the path of a folder that is not there yet: what makes one. */
export const NEW_FOLDER = '';

/** Id of what opens an entry: it takes the focus back from dialogs. */
export function entryElementId(path: string): string {
  return `file-${path}`;
}

/** For dialogs: the focus goes back to the entry, if it is still there. */
export function focusEntry(path: string, event: Event): void {
  const element = document.getElementById(entryElementId(path));
  if (!element) return;
  event.preventDefault();
  element.focus();
}
