/** The board as one value, and everything that can happen to it. Pure: what is sent and heard is in other modules. */

import type { BoardData, BoardProblem } from './board-data.ts';
import { asNewNote, type Choice, judgeChange, overwrite } from './conflict.ts';
import { applyEdits, type ChangeEdit, type Edit, type Owner } from './edit.ts';
import { enqueue, rebase, replaceEdit, withoutEdit } from './edit-queue.ts';
import type { Note } from './note.ts';
import { mergeList, mergeNote, withoutNote } from './note-list.ts';
import { forgetWriters, noteWriter, type Person, type Writer } from './people.ts';

/** How it stands with the way to the others. */
export type Connection = 'connecting' | 'live' | 'reconnecting' | 'offline';

/** What came of sending an edit. `theirs` is the note as it is now; undefined: it is not there, or not for us. */
export type Outcome =
  | { kind: 'done'; note?: Note | undefined }
  | { kind: 'stale'; theirs: Note | undefined }
  | { kind: 'refused' }
  | { kind: 'unreachable' };

/** The last thing that somebody else did, for those who cannot see it. `count` tells it from one before. */
export interface News {
  kind: 'added' | 'changed' | 'removed';
  name: string;
  count: number;
}

/** See the head of this file. */
export interface BoardState {
  self: Person;
  /** As the server last said. */
  notes: readonly Note[];
  /** Own ones that are not carried out yet. */
  edits: readonly Edit[];
  /** Id of the edit that is on its way. */
  sending: string | undefined;
  /** How often in a row the way was found closed. */
  failures: number;
  /** An edit that was refused for good. */
  refused: Edit | undefined;
  connection: Connection;
  people: readonly Person[];
  writers: readonly Writer[];
  news: News | undefined;
  /** The notes are still on their way. */
  isLoading: boolean;
  /** Why the notes could not be read; undefined once they were. */
  problem: BoardProblem | undefined;
  /** There are older notes than those that were read. */
  isCut: boolean;
}

export type BoardEvent =
  | { type: 'read'; data: BoardData }
  | { type: 'changed'; note: Note }
  | { type: 'removed'; id: string }
  | { type: 'edited'; edit: Edit }
  | { type: 'restored'; edits: readonly Edit[] }
  | { type: 'sending'; id: string }
  | { type: 'sent'; edit: Edit; outcome: Outcome }
  | { type: 'chosen'; edit: ChangeEdit; choice: Choice; noteId: string; now: number }
  | { type: 'connection'; connection: Connection }
  | { type: 'people'; people: readonly Person[] }
  | { type: 'writing'; personId: string; noteId: string | undefined; now: number }
  | { type: 'passed'; now: number };

/** The board when its page is opened; without `data` it is still to be read. */
export function openBoard(self: Person, data: BoardData | undefined): BoardState {
  const closed: BoardState = {
    self,
    notes: [],
    isLoading: true,
    problem: undefined,
    isCut: false,
    edits: [],
    sending: undefined,
    failures: 0,
    refused: undefined,
    connection: 'connecting',
    people: [self],
    writers: [],
    news: undefined,
  };
  return data ? read(closed, data) : closed;
}

/** The board after an event. */
export function reduceBoard(state: BoardState, event: BoardEvent): BoardState {
  switch (event.type) {
    case 'read':
      return read(state, event.data);
    case 'changed':
      return takeNews(state, event.note);
    case 'removed':
      return remove(state, event.id);
    case 'edited':
      return { ...state, refused: undefined, edits: enqueue(state.edits, event.edit, state.sending) };
    case 'restored':
      return { ...state, edits: restore(state.edits, event.edits) };
    case 'sending':
      return { ...state, sending: event.id };
    case 'sent':
      return settle({ ...state, sending: undefined }, event.edit, event.outcome);
    case 'chosen':
      return { ...state, edits: choose(state, event) };
    case 'connection':
      return connect(state, event.connection);
    case 'people':
      return { ...state, people: event.people };
    case 'writing':
      return { ...state, writers: noteWriter(state.writers, event) };
    case 'passed':
      return { ...state, writers: forgetWriters(state.writers, event.now) };
  }
}

/** The notes as the person sees them: with their own edits, sent or not. */
export function shownNotes({ notes, edits, self }: BoardState): readonly Note[] {
  return applyEdits(notes, edits, ownerOf(self));
}

/** Edits about which the person has to choose. */
export function conflictsOf({ edits }: BoardState): ChangeEdit[] {
  return edits.filter((edit) => edit.kind === 'change').filter(({ isConflict }) => isConflict);
}

/** Tells whether a note has edits that are not carried out. */
export function isWaiting({ edits }: BoardState, noteId: string): boolean {
  return edits.some((edit) => edit.noteId === noteId);
}

/** Tells whether the person has to choose between two texts of a note. */
export function hasConflict(state: BoardState, noteId: string): boolean {
  return conflictsOf(state).some((edit) => edit.noteId === noteId);
}

/** How many edits wait, unless they are about to be sent. */
export function countWaiting({ edits, connection, failures }: BoardState): number {
  return connection === 'live' && failures === 0 ? 0 : edits.length;
}

/** What is known already is better than to hear that it could not be read again. */
function read(state: BoardState, data: BoardData): BoardState {
  if (data.kind === 'problem') {
    const isNews = state.isLoading || state.problem !== undefined;
    return isNews ? { ...state, isLoading: false, problem: data.problem } : state;
  }
  const notes = mergeList(state.notes, data.notes);
  return { ...state, notes, isLoading: false, problem: undefined, isCut: data.isCut };
}

function ownerOf({ id, name }: Person): Owner {
  return { id, name };
}

/** Without a network nobody knows who is here. With one again, what was tried in vain before is tried at once. */
function connect(state: BoardState, connection: Connection): BoardState {
  if (connection === 'offline') return { ...state, connection, people: [state.self], writers: [] };
  return { ...state, connection, failures: connection === 'live' ? 0 : state.failures };
}

/** Own changes come back as news, too: those are none to the person who made them. */
function takeNews(state: BoardState, note: Note): BoardState {
  const notes = mergeNote(state.notes, note);
  if (notes === state.notes) return state;
  if (isWaiting(state, note.id)) return { ...state, notes };
  const isNew = state.notes.every(({ id }) => id !== note.id);
  return { ...state, notes, news: nextNews(state, isNew ? 'added' : 'changed', note.ownerName) };
}

function remove(state: BoardState, id: string): BoardState {
  const gone = state.notes.find((note) => note.id === id);
  if (!gone) return state;
  const notes = withoutNote(state.notes, id);
  return isWaiting(state, id)
    ? { ...state, notes }
    : { ...state, notes, news: nextNews(state, 'removed', gone.ownerName) };
}

function nextNews({ news }: BoardState, kind: News['kind'], name: string): News {
  return { kind, name, count: (news?.count ?? 0) + 1 };
}

/** What another window of the same person has sent meanwhile is known by its id. */
function restore(edits: readonly Edit[], kept: readonly Edit[]): readonly Edit[] {
  const known = new Set(edits.map(({ id }) => id));
  return [...kept.filter(({ id }) => !known.has(id)), ...edits];
}

function settle(state: BoardState, edit: Edit, outcome: Outcome): BoardState {
  switch (outcome.kind) {
    case 'unreachable':
      return { ...state, failures: state.failures + 1 };
    case 'done':
      return settleDone({ ...state, failures: 0 }, edit, outcome.note);
    case 'refused':
      return settleRefused({ ...state, failures: 0 }, edit);
    case 'stale':
      return settleStale({ ...state, failures: 0 }, edit, outcome.theirs);
  }
}

function settleDone(state: BoardState, edit: Edit, note: Note | undefined): BoardState {
  const edits = withoutEdit(state.edits, edit.id);
  if (edit.kind === 'delete') return { ...state, edits, notes: withoutNote(state.notes, edit.noteId) };
  if (note === undefined) return { ...state, edits };
  return { ...state, notes: mergeNote(state.notes, note), edits: rebase(edits, note) };
}

/** What was written stays in the hands of the person. */
function settleRefused(state: BoardState, edit: Edit): BoardState {
  if (edit.kind === 'change') {
    return { ...state, refused: edit, edits: replaceEdit(state.edits, { ...edit, isConflict: true }) };
  }
  return { ...state, refused: edit, edits: withoutEdit(state.edits, edit.id) };
}

function settleStale(state: BoardState, edit: Edit, theirs: Note | undefined): BoardState {
  const notes = theirs ? mergeNote(state.notes, theirs) : withoutNote(state.notes, edit.noteId);
  const next = { ...state, notes };
  if (edit.kind !== 'change') return { ...next, edits: withoutEdit(state.edits, edit.id) };
  const verdict = judgeChange(edit, theirs);
  if (verdict.kind === 'done') return { ...next, edits: withoutEdit(state.edits, edit.id) };
  const kept = verdict.kind === 'retry' ? verdict.edit : ({ ...edit, isConflict: true } as const);
  return { ...next, edits: replaceEdit(state.edits, kept) };
}

function choose(state: BoardState, event: Extract<BoardEvent, { type: 'chosen' }>): readonly Edit[] {
  const { edit, choice } = event;
  const theirs = state.notes.find(({ id }) => id === edit.noteId);
  if (choice === 'theirs') return withoutEdit(state.edits, edit.id);
  if (choice === 'mine' && theirs) return replaceEdit(state.edits, overwrite(edit, theirs));
  return replaceEdit(state.edits, asNewNote(edit, theirs !== undefined, event));
}
