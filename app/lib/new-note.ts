/** Id of the field for a new note. The keyboard's shortcut leads to it, on the page or by the end of an address. */
export const NEW_NOTE_ID = 'new-note';
