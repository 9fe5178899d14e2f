/** What the person does with which notes: changes some, is asked about one. At first, what the address says. */
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
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
  const ended = useRef<string>(undefined);
  const end = (noteId: string | undefined) => {
    ended.current = noteId;
  };
  useEffect(() => {
    if (ended.current) document.getElementById(noteElementId(ended.current))?.focus();
    ended.current = undefined;
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

/** The notes, and those that are gone while the person changes them. */
export function withEdited(notes: readonly Note[], edited: readonly Note[]): readonly Note[] {
  const missing = edited.filter((note) => notes.every(({ id }) => id !== note.id));
  return missing.length === 0 ? notes : sortNotes([...notes, ...missing]);
}
