/** Keyboard shortcuts of the demo. */
import type { SiteShortcut } from 'greenroom/app/shell/shortcuts/site-shortcuts';
import { NEW_NOTE_ID } from '../../features/board/new-note.ts';

export const siteShortcuts: readonly SiteShortcut[] = [
  { keys: 'n', label: { en: 'New note', de: 'Neue Notiz' }, for: 'signedIn', run: focusNewNote },
];

/**
 * Focuses the field for a new note; on other pages, it opens the home page, which focuses the field because
 * of the hash.
 */
function focusNewNote(navigate: (path: string) => unknown): void {
  const field = document.getElementById(NEW_NOTE_ID);
  if (field) field.focus();
  else void navigate(`/#${NEW_NOTE_ID}`);
}
