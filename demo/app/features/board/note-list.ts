/** The list of notes, and its updates by changes from the server. Pure. */
import type { Note } from './note.ts';

/** Sorts by time, newest first; the id makes the order of equal times deterministic. */
export function sortNotes(notes: readonly Note[]): Note[] {
  return notes.toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? -1 : 1));
}

/**
 * Adds or replaces a note. Changes arrive by several channels and may overtake each other: an older version
 * than the known one is ignored.
 */
export function mergeNote(notes: readonly Note[], note: Note): readonly Note[] {
  const known = notes.find(({ id }) => id === note.id);
  if (known && known.version >= note.version) return notes;
  return sortNotes([...notes.filter(({ id }) => id !== note.id), note]);
}

/** Replaces the list with one that was just read, but keeps notes that are known in a newer version. */
export function mergeList(known: readonly Note[], read: readonly Note[]): readonly Note[] {
  const newer = new Map(known.map((note) => [note.id, note]));
  return sortNotes(
    read.map((note) => {
      const other = newer.get(note.id);
      return other && other.version > note.version ? other : note;
    }),
  );
}

/** Removes a note. */
export function withoutNote(notes: readonly Note[], id: string): readonly Note[] {
  return notes.some((note) => note.id === id) ? notes.filter((note) => note.id !== id) : notes;
}
