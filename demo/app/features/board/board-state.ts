/** The board's state, and a reducer of all its events. Pure: other modules send and receive. */

import type { BoardData, BoardProblem } from './board-data.ts';
import { asNewNote, type Choice, mergeChange, overwrite } from './conflict.ts';
import { applyEdits, type ChangeEdit, type Edit, type Owner } from './edit.ts';
import { enqueue, rebase, replaceEdit, withoutEdit } from './edit-queue.ts';
import type { Note } from './note.ts';
import { mergeList, mergeNote, withoutNote } from './note-list.ts';
import { type Person, removeExpiredWriters, updateWriters, type Writer } from './people.ts';

/** Realtime connection status. */
export type Connection = 'connecting' | 'live' | 'reconnecting' | 'offline';

/**
 * The result of sending an edit. `theirs` is the current note; undefined: it does not exist, or is not
 * visible to this user.
 */
export type Outcome =
  | { kind: 'done'; note?: Note | undefined }
  | { kind: 'stale'; theirs: Note | undefined }
  | { kind: 'refused' }
  | { kind: 'unreachable' };

/** The last change by another user, for screen readers. `count` distinguishes equal changes. */
export interface RemoteChange {
  kind: 'added' | 'changed' | 'removed';
  name: string;
  count: number;
}

/** The state of the board. */
export interface BoardState {
  self: Person;
  /** The latest notes from the server. */
  notes: readonly Note[];
  /** The user's own edits that are not applied on the server yet. */
  edits: readonly Edit[];
  /** Id of the edit that is being sent. */
  sending: string | undefined;
  /** Number of consecutive failed attempts. */
  failures: number;
  /** An edit that the server has rejected permanently. */
  refused: Edit | undefined;
  connection: Connection;
  people: readonly Person[];
  writers: readonly Writer[];
  remoteChange: RemoteChange | undefined;
  /** The notes are not loaded yet. */
  isLoading: boolean;
  /** The reason why the notes could not be read; undefined after a successful read. */
  problem: BoardProblem | undefined;
  /** Older notes were omitted. */
  isTruncated: boolean;
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
  | { type: 'tick'; now: number };

/** Returns the initial state; without `data` the notes are not loaded yet. */
export function initialBoardState(self: Person, data: BoardData | undefined): BoardState {
  const empty: BoardState = {
    self,
    notes: [],
    isLoading: true,
    problem: undefined,
    isTruncated: false,
    edits: [],
    sending: undefined,
    failures: 0,
    refused: undefined,
    connection: 'connecting',
    people: [self],
    writers: [],
    remoteChange: undefined,
  };
  return data ? read(empty, data) : empty;
}

/** Returns the state after an event. */
export function reduceBoard(state: BoardState, event: BoardEvent): BoardState {
  switch (event.type) {
    case 'read':
      return read(state, event.data);
    case 'changed':
      return applyRemoteChange(state, event.note);
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
      return { ...state, writers: updateWriters(state.writers, event) };
    case 'tick':
      return { ...state, writers: removeExpiredWriters(state.writers, event.now) };
  }
}

/** Returns the notes with the user's own edits applied, sent or not. */
export function shownNotes({ notes, edits, self }: BoardState): readonly Note[] {
  return applyEdits(notes, edits, ownerOf(self));
}

/** Returns the edits for which the user has to choose a text. */
export function conflictsOf({ edits }: BoardState): ChangeEdit[] {
  return edits.filter((edit) => edit.kind === 'change').filter(({ isConflict }) => isConflict);
}

/** Returns whether a note has edits that are not applied yet. */
export function isWaiting({ edits }: BoardState, noteId: string): boolean {
  return edits.some((edit) => edit.noteId === noteId);
}

/** Returns whether the user has to choose between two texts of a note. */
export function hasConflict(state: BoardState, noteId: string): boolean {
  return conflictsOf(state).some((edit) => edit.noteId === noteId);
}

/** Returns the number of pending edits, or 0 if they are about to be sent. */
export function countWaiting({ edits, connection, failures }: BoardState): number {
  return connection === 'live' && failures === 0 ? 0 : edits.length;
}

/** Keeps known notes if they could not be read again. */
function read(state: BoardState, data: BoardData): BoardState {
  if (data.kind === 'problem') {
    const hasNoNotes = state.isLoading || state.problem !== undefined;
    return hasNoNotes ? { ...state, isLoading: false, problem: data.problem } : state;
  }
  const notes = mergeList(state.notes, data.notes);
  return { ...state, notes, isLoading: false, problem: undefined, isTruncated: data.isTruncated };
}

function ownerOf({ id, name }: Person): Owner {
  return { id, name };
}

/** Offline, the list of other users is unknown. After a reconnection, failed edits are retried at once. */
function connect(state: BoardState, connection: Connection): BoardState {
  if (connection === 'offline') return { ...state, connection, people: [state.self], writers: [] };
  return { ...state, connection, failures: connection === 'live' ? 0 : state.failures };
}

/** The user's own changes arrive as events, too. They are not announced to the user. */
function applyRemoteChange(state: BoardState, note: Note): BoardState {
  const notes = mergeNote(state.notes, note);
  if (notes === state.notes) return state;
  if (isWaiting(state, note.id)) return { ...state, notes };
  const isNew = state.notes.every(({ id }) => id !== note.id);
  return {
    ...state,
    notes,
    remoteChange: nextRemoteChange(state, isNew ? 'added' : 'changed', note.ownerName),
  };
}

function remove(state: BoardState, id: string): BoardState {
  const removed = state.notes.find((note) => note.id === id);
  if (!removed) return state;
  const notes = withoutNote(state.notes, id);
  return isWaiting(state, id)
    ? { ...state, notes }
    : { ...state, notes, remoteChange: nextRemoteChange(state, 'removed', removed.ownerName) };
}

function nextRemoteChange(
  { remoteChange }: BoardState,
  kind: RemoteChange['kind'],
  name: string,
): RemoteChange {
  return { kind, name, count: (remoteChange?.count ?? 0) + 1 };
}

/** Puts stored edits before the edits of this page. Ignores edits that the page knows. */
function restore(edits: readonly Edit[], stored: readonly Edit[]): readonly Edit[] {
  const known = new Set(edits.map(({ id }) => id));
  return [...stored.filter(({ id }) => !known.has(id)), ...edits];
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

/** Keeps the user's text, so that they can decide what to do with it. */
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
  const merge = mergeChange(edit, theirs);
  if (merge.kind === 'done') return { ...next, edits: withoutEdit(state.edits, edit.id) };
  const pending = merge.kind === 'retry' ? merge.edit : ({ ...edit, isConflict: true } as const);
  return { ...next, edits: replaceEdit(state.edits, pending) };
}

function choose(state: BoardState, event: Extract<BoardEvent, { type: 'chosen' }>): readonly Edit[] {
  const { edit, choice } = event;
  const theirs = state.notes.find(({ id }) => id === edit.noteId);
  if (choice === 'theirs') return withoutEdit(state.edits, edit.id);
  if (choice === 'mine' && theirs) return replaceEdit(state.edits, overwrite(edit, theirs));
  return replaceEdit(state.edits, asNewNote(edit, theirs !== undefined, event));
}
