/**
 * The user's activity: notes that are being edited, and the one to be deleted. The initial state comes from
 * the URL.
 */
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import type { BoardOutcome } from './board.server.ts';
import { NEW_NOTE_ID } from './new-note.ts';
import type { Note } from './note.ts';
import { sortNotes } from './note-list.ts';

/** State and functions of the user's activity. */
export interface Activity {
  /** Notes as they were when their edits began, so that changes by others do not affect the editor. */
  edited: readonly Note[];
  /** Id of the note whose deletion is to be confirmed. */
  noteToDelete: string | undefined;
  beginEdit(note: Note): void;
  endEdit(noteId: string): void;
  confirmDelete(noteId: string | undefined): void;
}

/**
 * Returns the id of a note's element, which receives the focus after an edit. Focusing its edit button would show a
 * tooltip.
 */
export function noteElementId(noteId: string): string {
  return `note-${noteId}`;
}

/** `notes` are those of the page when it is opened; `outcome` is the result of a form without scripts. */
export function useActivity(notes: readonly Note[], outcome: BoardOutcome | undefined): Activity {
  const search = new URLSearchParams(useLocation().search);
  // Opens the editor again for a text that the server rejected.
  const first = outcome?.kind === 'problem' && outcome.noteId ? outcome.noteId : search.get('edit');
  const [edited, setEdited] = useState(() => notes.filter(({ id }) => id === first));
  const [noteToDelete, setNoteToDelete] = useState(search.get('delete') ?? undefined);
  const nextFocus = useRef(NO_FOCUS);
  const setNextFocus = (noteId: string | undefined) => {
    nextFocus.current = { targets: noteId === undefined ? [] : focusTargets(noteId), focused: undefined };
  };
  useEffect(() => {
    nextFocus.current = moveFocus(nextFocus.current);
  });
  return {
    edited,
    noteToDelete,
    beginEdit: (note) => setEdited((others) => [...others, note]),
    endEdit: (noteId) => {
      setNextFocus(noteId);
      setEdited((notes) => notes.filter(({ id }) => id !== noteId));
    },
    confirmDelete: (noteId) => {
      if (noteId === undefined) setNextFocus(noteToDelete);
      setNoteToDelete(noteId);
    },
  };
}

/** Elements that receive the focus, in this order, if those before them are removed. */
interface NextFocus {
  targets: readonly HTMLElement[];
  /** The element that has received it; undefined if the focus has not been moved yet. */
  focused: HTMLElement | undefined;
}

const NO_FOCUS: NextFocus = { targets: [], focused: undefined };

/**
 * Moves the focus, and again if its element was removed: a deleted note may disappear some renders after its confirmation.
 * Ends when the user focuses another element.
 */
function moveFocus({ targets, focused }: NextFocus): NextFocus {
  if (focused?.isConnected) return document.activeElement === focused ? { targets, focused } : NO_FOCUS;
  const isElsewhere = focused !== undefined && document.activeElement !== document.body;
  const next = isElsewhere ? undefined : targets.find(({ isConnected }) => isConnected);
  next?.focus();
  return next ? { targets, focused: next } : NO_FOCUS;
}

/** Moves the focus to a note after another element about it was removed. */
export function focusNote(noteId: string): void {
  focusTargets(noteId)[0]?.focus();
}

/**
 * Returns the elements to focus after a note: itself or, if it is removed, its neighbours or the field for
 * a new note.
 */
function focusTargets(noteId: string): HTMLElement[] {
  const note = document.getElementById(noteElementId(noteId));
  const field = document.getElementById(NEW_NOTE_ID);
  const targets = [note, note?.nextElementSibling, note?.previousElementSibling, field];
  return targets.filter((target) => target instanceof HTMLElement);
}

/** Returns the notes, including deleted ones that the user is editing. */
export function withEdited(notes: readonly Note[], edited: readonly Note[]): readonly Note[] {
  const missing = edited.filter((note) => notes.every(({ id }) => id !== note.id));
  return missing.length === 0 ? notes : sortNotes([...notes, ...missing]);
}
