/** The list of notes, and how news of the server change it. Pure. */
import type { Note } from './note.ts';

/** Newest first, and those of the same moment in an order that is the same everywhere. */
export function sortNotes(notes: readonly Note[]): Note[] {
  return notes.toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? -1 : 1));
}

/**
 * A note as the server has it now. News come by several ways and may overtake each other: what is older than what is
 * known changes nothing.
 */
export function mergeNote(notes: readonly Note[], note: Note): readonly Note[] {
  const known = notes.find(({ id }) => id === note.id);
  if (known && known.version >= note.version) return notes;
  return sortNotes([...notes.filter(({ id }) => id !== note.id), note]);
}

/** A whole list as it was just read. What is not in it is gone; what is known in a newer version stays so. */
export function mergeList(known: readonly Note[], read: readonly Note[]): readonly Note[] {
  const newer = new Map(known.map((note) => [note.id, note]));
  return sortNotes(
    read.map((note) => {
      const other = newer.get(note.id);
      return other && other.version > note.version ? other : note;
    }),
  );
}

/** Without a note. */
export function withoutNote(notes: readonly Note[], id: string): readonly Note[] {
  return notes.some((note) => note.id === id) ? notes.filter((note) => note.id !== id) : notes;
}
