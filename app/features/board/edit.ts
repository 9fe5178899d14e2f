/**
 * Edits of the own hand: each is a value that can wait, be kept in the browser, and be sent later. Sending one twice
 * does no more than sending it once.
 */
import { type Note, type NoteContent, parseColor } from './note.ts';

interface OfNote {
  /** Of the edit itself. Edits are sent in the order of these. */
  id: string;
  noteId: string;
}

/** A new note; its id is chosen here. */
export interface AddEdit extends OfNote, NoteContent {
  kind: 'add';
  isShared: boolean;
  /** Seconds since 1970. */
  createdAt: number;
}

/** Another text or colour. */
export interface ChangeEdit extends OfNote, NoteContent {
  kind: 'change';
  /** What was changed: the note as it was when the edit began. */
  base: NoteContent & { version: number };
  isShared: boolean;
  /** Somebody else has changed the note meanwhile: the person has to choose. */
  isConflict?: true;
}

/** For everybody, or for the owner alone. */
export interface ShareEdit extends OfNote {
  kind: 'share';
  isShared: boolean;
}

/** Deletes a note. */
export interface DeleteEdit extends OfNote {
  kind: 'delete';
}

export type Edit = AddEdit | ChangeEdit | ShareEdit | DeleteEdit;

/** How notes look once edits are done, to whoever made them. */
export function applyEdits(notes: readonly Note[], edits: readonly Edit[], owner: Owner): readonly Note[] {
  return edits.reduce((shown, edit) => applyEdit(shown, edit, owner), notes);
}

/** Whose edits they are. */
export interface Owner {
  id: string;
  name: string;
}

function applyEdit(notes: readonly Note[], edit: Edit, owner: Owner): readonly Note[] {
  switch (edit.kind) {
    case 'add':
      // The server may have told of it before it answered.
      return notes.some(({ id }) => id === edit.noteId) ? notes : [addedNote(edit, owner), ...notes];
    case 'change':
      return edit.isConflict ? notes : replace(notes, edit.noteId, { text: edit.text, color: edit.color });
    case 'share':
      return replace(notes, edit.noteId, { isShared: edit.isShared });
    case 'delete':
      return notes.filter(({ id }) => id !== edit.noteId);
  }
}

function addedNote({ noteId, text, color, isShared, createdAt }: AddEdit, { id, name }: Owner): Note {
  return { id: noteId, ownerId: id, ownerName: name, text, color, isShared, version: 0, createdAt };
}

function replace(notes: readonly Note[], id: string, change: Partial<Note>): readonly Note[] {
  return notes.map((note) => (note.id === id ? { ...note, ...change } : note));
}

/** Writes an edit down for the browser's storage. */
export function writeEdit(edit: Edit): string {
  return JSON.stringify(edit);
}

/** Reads what {@link writeEdit} wrote; undefined for anything else, since storage is anybody's. */
export function readEdit(text: string): Edit | undefined {
  try {
    const edit = JSON.parse(text);
    return isEdit(edit) ? edit : undefined;
  } catch {
    return undefined;
  }
}

function isEdit(value: unknown): value is Edit {
  if (!isRecord(value) || typeof value.id !== 'string' || typeof value.noteId !== 'string') return false;
  if (value.kind === 'delete') return true;
  if (typeof value.isShared !== 'boolean') return false;
  if (value.kind === 'share') return true;
  if (!isContent(value)) return false;
  if (value.kind === 'add') return typeof value.createdAt === 'number';
  return value.kind === 'change' && isContent(value.base) && typeof value.base.version === 'number';
}

function isContent(value: unknown): value is Record<string, unknown> {
  return isRecord(value) && typeof value.text === 'string' && parseColor(value.color) !== undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
