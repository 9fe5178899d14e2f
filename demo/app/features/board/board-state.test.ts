import { describe, expect, it } from 'vitest';
import type { BoardData } from './board-data.ts';
import {
  type BoardEvent,
  type BoardState,
  conflictsOf,
  countWaiting,
  hasConflict,
  initialBoardState,
  isWaiting,
  reduceBoard,
  shownNotes,
} from './board-state.ts';
import { nextEdit } from './edit-queue.ts';
import type { Note } from './note.ts';
import { aChange, aDelete, aNote, anAdd, aShare } from './testing.ts';

const SELF = { id: 'me', name: 'Me' };
const after = (state: BoardState, ...events: BoardEvent[]) => events.reduce(reduceBoard, state);
const listOf = (...notes: Note[]): BoardData => ({ kind: 'notes', notes, isTruncated: false });
const UNREACHABLE: BoardData = { kind: 'problem', problem: 'unreachable' };
const open = (...notes: Note[]) => initialBoardState(SELF, listOf(...notes));
const shown = (state: BoardState) => shownNotes(state).map(({ text }) => text);

describe('announcements of changes', () => {
  it.each<[string, BoardEvent, string, string]>([
    ['a new note', { type: 'changed', note: aNote({ id: 'm', ownerName: 'Bob' }) }, 'added', 'Bob'],
    ['a change', { type: 'changed', note: aNote({ version: 2 }) }, 'changed', 'Ada'],
    ['a deletion', { type: 'removed', id: 'n' }, 'removed', 'Ada'],
  ])('report %s', (_name, event, kind, name) => {
    expect(after(open(aNote()), event).remoteChange).toEqual({ kind, name, count: 1 });
  });

  it.each<[string, BoardEvent[]]>([
    ['a note without changes', [{ type: 'changed', note: aNote() }]],
    ['the deletion of an unknown note', [{ type: 'removed', id: 'x' }]],
    [
      'changes by the same user',
      [
        { type: 'edited', edit: aChange() },
        { type: 'changed', note: aNote({ version: 2, text: 'mine' }) },
      ],
    ],
    [
      'own deletions',
      [
        { type: 'edited', edit: aDelete() },
        { type: 'removed', id: 'n' },
      ],
    ],
    ['a reload of the list', [{ type: 'read', data: listOf(aNote({ id: 'm' })) }]],
  ])('ignore %s', (_name, events) => {
    expect(after(open(aNote()), ...events).remoteChange).toBeUndefined();
  });

  it('count repeated equal changes', () => {
    const state = after(open(aNote()), { type: 'changed', note: aNote({ version: 2 }) });
    expect(after(state, { type: 'changed', note: aNote({ version: 3 }) }).remoteChange?.count).toBe(2);
  });
});

describe('an own edit', () => {
  const edit = aChange();
  const state = after(open(aNote()), { type: 'edited', edit }, { type: 'sending', id: 'c' });

  it('is shown immediately and counted as waiting', () => {
    expect(shown(state)).toEqual(['mine']);
    expect(isWaiting(state, 'n')).toBe(true);
  });

  it('is settled by the response, also if its event arrived first', () => {
    const note = aNote({ version: 2, text: 'mine' });
    const sent = { type: 'sent', edit, outcome: { kind: 'done', note } } as const;
    for (const events of [
      [sent],
      [{ type: 'changed', note } as const, sent],
      [sent, { type: 'changed', note } as const],
    ]) {
      const done = after(state, ...events);
      expect([done.edits, done.notes, done.sending, done.remoteChange]).toEqual([
        [],
        [note],
        undefined,
        undefined,
      ]);
    }
  });

  it('stays queued while the server is unreachable, with a count of failures', () => {
    const sent = { type: 'sent', edit, outcome: { kind: 'unreachable' } } as const;
    const twice = after(state, sent, sent);
    expect([twice.edits, twice.failures]).toEqual([[edit], 2]);
    expect(after(twice, { type: 'connection', connection: 'live' }).failures).toBe(0);
  });

  it('is retried automatically if both changes can be merged', () => {
    const theirs = aNote({ version: 3, color: 'blue' });
    const next = after(state, { type: 'sent', edit, outcome: { kind: 'stale', theirs } });
    expect(nextEdit(next.edits)).toMatchObject({ text: 'mine', color: 'blue', base: { version: 3 } });
  });

  it('is settled if another user wrote the same text', () => {
    const theirs = aNote({ version: 3, text: 'mine' });
    const next = after(state, { type: 'sent', edit, outcome: { kind: 'stale', theirs } });
    expect([next.edits, next.notes]).toEqual([[], [theirs]]);
  });

  it('stays visible after a rejection', () => {
    const next = after(state, { type: 'sent', edit, outcome: { kind: 'refused' } });
    expect([next.refused, conflictsOf(next)]).toEqual([edit, [{ ...edit, isConflict: true }]]);
    const added = after(open(), { type: 'edited', edit: anAdd() });
    expect(after(added, { type: 'sent', edit: anAdd(), outcome: { kind: 'refused' } })).toMatchObject({
      refused: anAdd(),
      edits: [],
    });
  });

  it.each([aShare(), aDelete()])('is dropped if its note was deleted: $kind', (other) => {
    const next = after(
      open(aNote()),
      { type: 'edited', edit: other },
      { type: 'sent', edit: other, outcome: { kind: 'stale', theirs: undefined } },
    );
    expect([next.edits, next.notes]).toEqual([[], []]);
  });

  it('is rebased on the result of the edit that is being sent', () => {
    const second = aChange({ id: 'e', text: 'second' });
    const note = aNote({ version: 2, text: 'mine' });
    const next = after(
      state,
      { type: 'edited', edit: second },
      { type: 'sent', edit, outcome: { kind: 'done', note } },
    );
    expect(next.edits).toEqual([{ ...second, base: { text: 'mine', color: 'yellow', version: 2 } }]);
  });

  it('restored from storage precedes the edits of the page and appears once', () => {
    const stored = aShare({ id: 'stored' });
    const next = after(state, { type: 'restored', edits: [stored, edit] });
    expect(next.edits).toEqual([stored, edit]);
  });
});

describe('a conflict', () => {
  const edit = aChange();
  const theirs = aNote({ version: 2, text: 'theirs' });
  const state = after(
    open(aNote()),
    { type: 'edited', edit },
    { type: 'sent', edit, outcome: { kind: 'stale', theirs } },
  );
  const choose = (from: BoardState, choice: 'mine' | 'theirs' | 'both') => {
    const [conflict] = conflictsOf(from);
    if (!conflict) throw new Error('no conflict');
    return after(from, { type: 'chosen', edit: conflict, choice, noteId: 'm', now: 9 });
  };

  it('shows the text of the other user and keeps the own text', () => {
    expect(shown(state)).toEqual(['theirs']);
    expect(conflictsOf(state)).toEqual([{ ...edit, isConflict: true }]);
    expect([hasConflict(state, 'n'), hasConflict(state, 'm')]).toEqual([true, false]);
    expect(nextEdit(state.edits)).toBeUndefined();
  });

  it('resolved with `mine` sends the own text over the other text', () => {
    const next = choose(state, 'mine');
    expect(nextEdit(next.edits)).toEqual({ ...edit, base: { text: 'theirs', color: 'yellow', version: 2 } });
    expect(shown(next)).toEqual(['mine']);
  });

  it('resolved with `theirs` drops the own text', () => {
    expect(choose(state, 'theirs').edits).toEqual([]);
  });

  it('resolved with `both` adds a note with the own text', () => {
    const next = choose(state, 'both');
    expect(nextEdit(next.edits)).toMatchObject({ kind: 'add', noteId: 'm', text: 'mine', isShared: true });
    expect(shown(next)).toEqual(['mine', 'theirs']);
  });

  it.each(['mine', 'both'] as const)(
    'about a deleted note, resolved with %s, adds a private note',
    (choice) => {
      const removed = after(
        open(aNote()),
        { type: 'edited', edit },
        { type: 'sent', edit, outcome: { kind: 'stale', theirs: undefined } },
      );
      expect(removed.notes).toEqual([]);
      expect(nextEdit(choose(removed, choice).edits)).toMatchObject({
        kind: 'add',
        text: 'mine',
        isShared: false,
      });
    },
  );
});

describe('the board', () => {
  it('reports the reason for missing notes until they are read', () => {
    const state = initialBoardState(SELF, UNREACHABLE);
    expect(state.problem).toBe('unreachable');
    expect(after(state, { type: 'read', data: listOf() }).problem).toBeUndefined();
  });

  it('is loading until its notes are read or the read fails', () => {
    const state = initialBoardState(SELF, undefined);
    expect([state.isLoading, open().isLoading]).toEqual([true, false]);
    expect(after(state, { type: 'read', data: listOf(aNote()) })).toMatchObject({
      isLoading: false,
      notes: [aNote()],
    });
    expect(after(state, { type: 'read', data: UNREACHABLE })).toMatchObject({
      isLoading: false,
      problem: 'unreachable',
    });
  });

  it('keeps its notes if they cannot be read again', () => {
    const state = open(aNote());
    expect(after(state, { type: 'read', data: UNREACHABLE })).toBe(state);
  });

  it('reports whether older notes were omitted', () => {
    const data: BoardData = { kind: 'notes', notes: [aNote()], isTruncated: true };
    expect([open().isTruncated, after(open(), { type: 'read', data }).isTruncated]).toEqual([false, true]);
  });

  it.each<[string, BoardEvent[], number]>([
    ['none before the first attempt', [{ type: 'connection', connection: 'live' }], 0],
    ['one while offline', [{ type: 'connection', connection: 'offline' }], 1],
    [
      'one while the server is unreachable',
      [
        { type: 'connection', connection: 'live' },
        { type: 'sent', edit: aChange(), outcome: { kind: 'unreachable' } },
      ],
      1,
    ],
  ])('counts waiting edits: %s', (_name, events, count) => {
    const state = after(open(aNote()), { type: 'edited', edit: aChange() }, ...events);
    expect(countWaiting(state)).toBe(count);
  });

  it('stores who is present and who is writing', () => {
    const bob = { id: 'bob', name: 'Bob' };
    const state = after(
      open(aNote()),
      { type: 'people', people: [SELF, bob] },
      { type: 'writing', personId: 'bob', noteId: 'n', now: 0 },
    );
    expect([state.people, state.writers]).toMatchObject([[SELF, bob], [{ personId: 'bob' }]]);
    expect(after(state, { type: 'tick', now: 60_000 }).writers).toEqual([]);
    expect(after(state, { type: 'connection', connection: 'offline' })).toMatchObject({
      people: [SELF],
      writers: [],
    });
  });
});
