/**
 * Class names of the colours of notes. They are written out, because Tailwind finds them by scanning the
 * sources.
 */
import type { NoteColor } from './note.ts';

/** Class names of a note's background and border. */
export const NOTE_CLASSES: Readonly<Record<NoteColor, string>> = {
  yellow: 'bg-note-yellow border-note-yellow-line',
  green: 'bg-note-green border-note-green-line',
  blue: 'bg-note-blue border-note-blue-line',
  purple: 'bg-note-purple border-note-purple-line',
  pink: 'bg-note-pink border-note-pink-line',
  grey: 'bg-note-grey border-note-grey-line',
};
