/**
 * Id of the field for a new note. The keyboard shortcut focuses it directly, or via the hash of a link from
 * another page.
 */
export const NEW_NOTE_ID = 'new-note';
