import { describe, expect, it } from 'vitest';
import { applyEdits, type Edit, readEdit, writeEdit } from './edit.ts';
import { aChange, aDelete, aNote, anAdd, aShare } from './testing.ts';

const SELF = { id: 'me', name: 'Me' };
const shown = (edits: readonly Edit[], notes = [aNote()]) => applyEdits(notes, edits, SELF);

describe('applyEdits', () => {
  it.each<[string, Edit[], object[]]>([
    ['a change', [aChange()], [{ text: 'mine', version: 1 }]],
    ['no change with a conflict', [aChange({ isConflict: true })], [{ text: 'old' }]],
    ['a hidden note', [aShare()], [{ isShared: false }]],
    ['no deleted note', [aDelete()], []],
    ['a new note', [anAdd({ noteId: 'm' })], [{ id: 'm', ownerId: 'me', version: 0 }, { id: 'n' }]],
    ['a new note once if the server has reported it', [anAdd()], [{ text: 'old', version: 1 }]],
    ['a new note with a change', [anAdd({ noteId: 'm' }), aChange({ noteId: 'm' })], [{ text: 'mine' }, {}]],
    ['no change of a deleted note', [aChange({ noteId: 'x' })], [{ text: 'old' }]],
  ])('shows %s', (_name, edits, expected) => {
    expect(shown(edits)).toMatchObject(expected);
    expect(shown(edits)).toHaveLength(expected.length);
  });
});

describe('readEdit', () => {
  it.each([anAdd(), aChange(), aChange({ isConflict: true }), aShare(), aDelete()])(
    'parses its own output: $kind',
    (edit) => {
      expect(readEdit(writeEdit(edit))).toEqual(edit);
    },
  );

  it.each([
    '',
    'null',
    '[]',
    '{"kind":"delete"}',
    JSON.stringify({ ...aShare(), isShared: 'yes' }),
    JSON.stringify({ ...anAdd(), color: 'red' }),
    JSON.stringify({ ...anAdd(), createdAt: undefined }),
    JSON.stringify({ ...aChange(), base: { text: 'a' } }),
    JSON.stringify({ ...aChange(), kind: 'paint' }),
  ])('returns undefined for %s', (text) => {
    expect(readEdit(text)).toBeUndefined();
  });
});
