import { describe, expect, it } from 'vitest';
import { asNewNote, mergeChange, overwrite, parseChoice } from './conflict.ts';
import type { ChangeEdit } from './edit.ts';
import type { Note } from './note.ts';
import { aChange, aNote } from './testing.ts';

/** The base is `old` in yellow, version 1. */
const theirs = (more: Partial<Note>) => aNote({ version: 5, ...more });

describe('mergeChange', () => {
  it.each<[string, Partial<ChangeEdit>, Note | undefined]>([
    ['both changed the text', {}, theirs({ text: 'theirs' })],
    [
      'both changed the text and the colour is the same',
      { color: 'pink' },
      theirs({ text: 'theirs', color: 'pink' }),
    ],
    ['the note was deleted', {}, undefined],
  ])('reports a conflict when %s', (_name, edit, note) => {
    expect(mergeChange(aChange(edit), note)).toEqual({ kind: 'conflict' });
  });

  it.each<[string, Partial<ChangeEdit>, Note]>([
    ['both wrote the same text', {}, theirs({ text: 'mine' })],
    ['the own edit changed nothing', { text: 'old' }, theirs({ text: 'theirs' })],
  ])('reports no change when %s', (_name, edit, note) => {
    expect(mergeChange(aChange(edit), note)).toEqual({ kind: 'done' });
  });

  it.each<[string, Partial<ChangeEdit>, Partial<Note>, Partial<ChangeEdit>]>([
    ['only the version differs', {}, { isShared: false }, { text: 'mine', color: 'yellow' }],
    ['the other user changed the colour', {}, { color: 'blue' }, { text: 'mine', color: 'blue' }],
    [
      'the own edit changed the colour',
      { text: 'old', color: 'pink' },
      { text: 'theirs' },
      { text: 'theirs', color: 'pink' },
    ],
    [
      'both users changed the colour',
      { text: 'old', color: 'pink' },
      { color: 'blue' },
      { text: 'old', color: 'pink' },
    ],
  ])('merges both changes when %s', (_name, edit, note, expected) => {
    const now = theirs(note);
    const base = { text: now.text, color: now.color, version: 5 };
    expect(mergeChange(aChange(edit), now)).toEqual({
      kind: 'retry',
      edit: { ...aChange(edit), ...expected, base },
    });
  });
});

describe('the choices of a conflict', () => {
  const edit = aChange({ isConflict: true });

  it('base `mine` on the current note', () => {
    expect(overwrite(edit, theirs({ text: 'theirs' }))).toEqual(
      aChange({ base: { text: 'theirs', color: 'yellow', version: 5 } }),
    );
  });

  it.each([
    [true, true, true],
    [true, false, false],
    [false, true, false],
  ])(
    '`both` of a note that was shared (%s) and is visible (%s) adds a note that is shared (%s)',
    (wasShared, isVisible, isShared) => {
      const ids = { noteId: 'm', now: 7 };
      expect(asNewNote({ ...edit, isShared: wasShared }, isVisible, ids)).toEqual({
        kind: 'add',
        id: 'c',
        noteId: 'm',
        text: 'mine',
        color: 'yellow',
        isShared,
        createdAt: 7,
      });
    },
  );

  it.each([
    ['mine', 'mine'],
    ['both', 'both'],
    ['none', undefined],
    [null, undefined],
  ])('parse %j as %j', (value, choice) => {
    expect(parseChoice(value)).toBe(choice);
  });
});
