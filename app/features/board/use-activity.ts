/** What the person does with which notes: changes some, is asked about one. At first, what the address says. */
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { NEW_NOTE_ID } from '../../lib/new-note.ts';
import type { BoardOutcome } from './board.server.ts';
import type { Note } from './note.ts';
import { sortNotes } from './note-list.ts';

/** See the head of this file. */
export interface Activity {
  /** Notes as they were when their edits began: what others do to them must not take them from under the hand. */
  edited: readonly Note[];
  /** Id of the note that may be deleted. */
  asked: string | undefined;
  beginEdit(note: Note): void;
  endEdit(noteId: string): void;
  ask(noteId: string | undefined): void;
}

/** Id of a note in the page: it gets the focus when an edit of it is over. Its button would show a tooltip then. */
export function noteElementId(noteId: string): string {
  return `note-${noteId}`;
}

/** `notes` are those of the page when it is opened; `outcome` what came of a form without scripts. */
export function useActivity(notes: readonly Note[], outcome: BoardOutcome | undefined): Activity {
  const search = new URLSearchParams(useLocation().search);
  // A text that the server could not take is still to be mended.
  const first = outcome?.kind === 'problem' && outcome.noteId ? outcome.noteId : search.get('edit');
  const [edited, setEdited] = useState(() => notes.filter(({ id }) => id === first));
  const [asked, setAsked] = useState(search.get('delete') ?? undefined);
  const places = useRef<readonly HTMLElement[]>([]);
  const end = (noteId: string | undefined) => {
    places.current = noteId === undefined ? [] : focusPlaces(noteId);
  };
  useEffect(() => {
    places.current.find(({ isConnected }) => isConnected)?.focus();
    places.current = [];
  });
  return {
    edited,
    asked,
    beginEdit: (note) => setEdited((others) => [...others, note]),
    endEdit: (noteId) => {
      end(noteId);
      setEdited((notes) => notes.filter(({ id }) => id !== noteId));
    },
    ask: (noteId) => {
      if (noteId === undefined) end(asked);
      setAsked(noteId);
    },
  };
}

/** Leads to a note, once something else that was about it is gone. */
export function focusNote(noteId: string): void {
  focusPlaces(noteId)[0]?.focus();
}

/** Where the focus goes from a note: to itself or, where it is gone, to its neighbours or the field for a new one. */
function focusPlaces(noteId: string): HTMLElement[] {
  const note = document.getElementById(noteElementId(noteId));
  const field = document.getElementById(NEW_NOTE_ID);
  const places = [note, note?.nextElementSibling, note?.previousElementSibling, field];
  return places.filter((place) => place instanceof HTMLElement);
}

/** The notes, and those that are gone while the person changes them. */
export function withEdited(notes: readonly Note[], edited: readonly Note[]): readonly Note[] {
  const missing = edited.filter((note) => notes.every(({ id }) => id !== note.id));
  return missing.length === 0 ? notes : sortNotes([...notes, ...missing]);
}
