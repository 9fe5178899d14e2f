import { describe, expect, it } from 'vitest';
import { asNewNote, mergeChange, overwrite, parseChoice } from './conflict.ts';
import type { ChangeEdit } from './edit.ts';
import type { Note } from './note.ts';
import { aChange, aNote } from './testing.ts';

/** The base is `old` in yellow, version 1. */
const theirs = (more: Partial<Note>) => aNote({ version: 5, ...more });

describe('mergeChange', () => {
  it.each<[string, Partial<ChangeEdit>, Note | undefined]>([
    ['both wrote something', {}, theirs({ text: 'theirs' })],
    [
      'both wrote something, and the colour is the same',
      { color: 'pink' },
      theirs({ text: 'theirs', color: 'pink' }),
    ],
    ['it is gone', {}, undefined],
  ])('reports a conflict when %s', (_name, edit, note) => {
    expect(mergeChange(aChange(edit), note)).toEqual({ kind: 'conflict' });
  });

  it.each<[string, Partial<ChangeEdit>, Note]>([
    ['both wrote the same', {}, theirs({ text: 'mine' })],
    ['nothing was changed here', { text: 'old' }, theirs({ text: 'theirs' })],
  ])('reports no change when %s', (_name, edit, note) => {
    expect(mergeChange(aChange(edit), note)).toEqual({ kind: 'done' });
  });

  it.each<[string, Partial<ChangeEdit>, Partial<Note>, Partial<ChangeEdit>]>([
    ['only the version is another', {}, { isShared: false }, { text: 'mine', color: 'yellow' }],
    ['they changed the colour', {}, { color: 'blue' }, { text: 'mine', color: 'blue' }],
    [
      'the colour was changed here',
      { text: 'old', color: 'pink' },
      { text: 'theirs' },
      { text: 'theirs', color: 'pink' },
    ],
    [
      'both changed the colour',
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
    (was, is, shared) => {
      const ids = { noteId: 'm', now: 7 };
      expect(asNewNote({ ...edit, isShared: was }, is, ids)).toEqual({
        kind: 'add',
        id: 'c',
        noteId: 'm',
        text: 'mine',
        color: 'yellow',
        isShared: shared,
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
