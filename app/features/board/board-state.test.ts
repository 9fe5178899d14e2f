import { describe, expect, it } from 'vitest';
import type { BoardData } from './board-data.ts';
import {
  type BoardEvent,
  type BoardState,
  conflictsOf,
  countWaiting,
  hasConflict,
  isWaiting,
  openBoard,
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
const open = (...notes: Note[]) => openBoard(SELF, listOf(...notes));
const shown = (state: BoardState) => shownNotes(state).map(({ text }) => text);

describe('news', () => {
  it.each<[string, BoardEvent, string, string]>([
    ['a new note', { type: 'changed', note: aNote({ id: 'm', ownerName: 'Bob' }) }, 'added', 'Bob'],
    ['a change', { type: 'changed', note: aNote({ version: 2 }) }, 'changed', 'Ada'],
    ['an end', { type: 'removed', id: 'n' }, 'removed', 'Ada'],
  ])('tell of %s', (_name, event, kind, name) => {
    expect(after(open(aNote()), event).news).toEqual({ kind, name, count: 1 });
  });

  it.each<[string, BoardEvent[]]>([
    ['what is known', [{ type: 'changed', note: aNote() }]],
    ['what was never seen', [{ type: 'removed', id: 'x' }]],
    [
      'own changes',
      [
        { type: 'edited', edit: aChange() },
        { type: 'changed', note: aNote({ version: 2, text: 'mine' }) },
      ],
    ],
    [
      'an own end',
      [
        { type: 'edited', edit: aDelete() },
        { type: 'removed', id: 'n' },
      ],
    ],
    ['a list that was read again', [{ type: 'read', data: listOf(aNote({ id: 'm' })) }]],
  ])('are silent about %s', (_name, events) => {
    expect(after(open(aNote()), ...events).news).toBeUndefined();
  });

  it('can be the same twice', () => {
    const state = after(open(aNote()), { type: 'changed', note: aNote({ version: 2 }) });
    expect(after(state, { type: 'changed', note: aNote({ version: 3 }) }).news?.count).toBe(2);
  });
});

describe('an own edit', () => {
  const edit = aChange();
  const state = after(open(aNote()), { type: 'edited', edit }, { type: 'sending', id: 'c' });

  it('is seen at once, and waits', () => {
    expect(shown(state)).toEqual(['mine']);
    expect(isWaiting(state, 'n')).toBe(true);
  });

  it('is done when the server says so, also when the news came first', () => {
    const note = aNote({ version: 2, text: 'mine' });
    const sent = { type: 'sent', edit, outcome: { kind: 'done', note } } as const;
    for (const events of [
      [sent],
      [{ type: 'changed', note } as const, sent],
      [sent, { type: 'changed', note } as const],
    ]) {
      const done = after(state, ...events);
      expect([done.edits, done.notes, done.sending, done.news]).toEqual([[], [note], undefined, undefined]);
    }
  });

  it('stays while nobody can be reached, and failures are counted until it works', () => {
    const sent = { type: 'sent', edit, outcome: { kind: 'unreachable' } } as const;
    const twice = after(state, sent, sent);
    expect([twice.edits, twice.failures]).toEqual([[edit], 2]);
    expect(after(twice, { type: 'connection', connection: 'live' }).failures).toBe(0);
  });

  it('is tried again by itself where both changes go together', () => {
    const theirs = aNote({ version: 3, color: 'blue' });
    const next = after(state, { type: 'sent', edit, outcome: { kind: 'stale', theirs } });
    expect(nextEdit(next.edits)).toMatchObject({ text: 'mine', color: 'blue', base: { version: 3 } });
  });

  it('is done where somebody wrote the same', () => {
    const theirs = aNote({ version: 3, text: 'mine' });
    const next = after(state, { type: 'sent', edit, outcome: { kind: 'stale', theirs } });
    expect([next.edits, next.notes]).toEqual([[], [theirs]]);
  });

  it('that was refused stays in sight', () => {
    const next = after(state, { type: 'sent', edit, outcome: { kind: 'refused' } });
    expect([next.refused, conflictsOf(next)]).toEqual([edit, [{ ...edit, isConflict: true }]]);
    const added = after(open(), { type: 'edited', edit: anAdd() });
    expect(after(added, { type: 'sent', edit: anAdd(), outcome: { kind: 'refused' } })).toMatchObject({
      refused: anAdd(),
      edits: [],
    });
  });

  it.each([aShare(), aDelete()])('of a note that is gone is over: $kind', (other) => {
    const next = after(
      open(aNote()),
      { type: 'edited', edit: other },
      { type: 'sent', edit: other, outcome: { kind: 'stale', theirs: undefined } },
    );
    expect([next.edits, next.notes]).toEqual([[], []]);
  });

  it('that comes while one is on its way is about what that one makes', () => {
    const second = aChange({ id: 'e', text: 'second' });
    const note = aNote({ version: 2, text: 'mine' });
    const next = after(
      state,
      { type: 'edited', edit: second },
      { type: 'sent', edit, outcome: { kind: 'done', note } },
    );
    expect(next.edits).toEqual([{ ...second, base: { text: 'mine', color: 'yellow', version: 2 } }]);
  });

  it('that was kept comes before those of this page, and only once', () => {
    const kept = aShare({ id: 'kept' });
    const next = after(state, { type: 'restored', edits: [kept, edit] });
    expect(next.edits).toEqual([kept, edit]);
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

  it('shows the text of the other, and keeps the own one', () => {
    expect(shown(state)).toEqual(['theirs']);
    expect(conflictsOf(state)).toEqual([{ ...edit, isConflict: true }]);
    expect([hasConflict(state, 'n'), hasConflict(state, 'm')]).toEqual([true, false]);
    expect(nextEdit(state.edits)).toBeUndefined();
  });

  it('mine: sends the own text over the other’s', () => {
    const next = choose(state, 'mine');
    expect(nextEdit(next.edits)).toEqual({ ...edit, base: { text: 'theirs', color: 'yellow', version: 2 } });
    expect(shown(next)).toEqual(['mine']);
  });

  it('theirs: forgets the own text', () => {
    expect(choose(state, 'theirs').edits).toEqual([]);
  });

  it('both: makes a note of the own text', () => {
    const next = choose(state, 'both');
    expect(nextEdit(next.edits)).toMatchObject({ kind: 'add', noteId: 'm', text: 'mine', isShared: true });
    expect(shown(next)).toEqual(['mine', 'theirs']);
  });

  it.each(['mine', 'both'] as const)('with a note that is gone, %s makes one for oneself', (choice) => {
    const gone = after(
      open(aNote()),
      { type: 'edited', edit },
      { type: 'sent', edit, outcome: { kind: 'stale', theirs: undefined } },
    );
    expect(gone.notes).toEqual([]);
    expect(nextEdit(choose(gone, choice).edits)).toMatchObject({
      kind: 'add',
      text: 'mine',
      isShared: false,
    });
  });
});

describe('the board', () => {
  it('says why it has no notes, until they were read', () => {
    const state = openBoard(SELF, UNREACHABLE);
    expect(state.problem).toBe('unreachable');
    expect(after(state, { type: 'read', data: listOf() }).problem).toBeUndefined();
  });

  it('is loading until its notes were read, or could not be', () => {
    const state = openBoard(SELF, undefined);
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

  it('keeps its notes when they cannot be read again', () => {
    const state = open(aNote());
    expect(after(state, { type: 'read', data: UNREACHABLE })).toBe(state);
  });

  it('knows whether there are older notes', () => {
    const data: BoardData = { kind: 'notes', notes: [aNote()], isTruncated: true };
    expect([open().isTruncated, after(open(), { type: 'read', data }).isTruncated]).toEqual([false, true]);
  });

  it.each<[string, BoardEvent[], number]>([
    ['about to be sent', [{ type: 'connection', connection: 'live' }], 0],
    ['offline', [{ type: 'connection', connection: 'offline' }], 1],
    [
      'live, but the table does not answer',
      [
        { type: 'connection', connection: 'live' },
        { type: 'sent', edit: aChange(), outcome: { kind: 'unreachable' } },
      ],
      1,
    ],
  ])('counts what waits: %s', (_name, events, count) => {
    const state = after(open(aNote()), { type: 'edited', edit: aChange() }, ...events);
    expect(countWaiting(state)).toBe(count);
  });

  it('knows who is here and who writes', () => {
    const bob = { id: 'bob', name: 'Bob' };
    const state = after(
      open(aNote()),
      { type: 'people', people: [SELF, bob] },
      { type: 'writing', personId: 'bob', noteId: 'n', now: 0 },
    );
    expect([state.people, state.writers]).toMatchObject([[SELF, bob], [{ personId: 'bob' }]]);
    expect(after(state, { type: 'passed', now: 60_000 }).writers).toEqual([]);
    expect(after(state, { type: 'connection', connection: 'offline' })).toMatchObject({
      people: [SELF],
      writers: [],
    });
  });
});
