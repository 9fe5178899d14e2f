import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergeList, mergeNote, sortNotes, withoutNote } from './note-list.ts';
import { aNote } from './testing.ts';

describe('sortNotes', () => {
  it('sorts newest first and equal times by id', () => {
    const notes = [aNote({ id: 'b' }), aNote({ id: 'c', createdAt: 100.5 }), aNote({ id: 'a' })];
    expect(sortNotes(notes).map(({ id }) => id)).toEqual(['c', 'a', 'b']);
  });
});

describe('mergeNote', () => {
  it('adds a note and replaces an older version', () => {
    const added = mergeNote([], aNote());
    expect(mergeNote(added, aNote({ version: 2, text: 'new' }))).toEqual([
      aNote({ version: 2, text: 'new' }),
    ]);
  });

  it.each([1, 2])('keeps version 2 if version %s arrives late', (version) => {
    const known = [aNote({ version: 2, text: 'newer' })];
    expect(mergeNote(known, aNote({ version, text: 'late' }))).toBe(known);
  });

  it('has the same result for any order of versions', () => {
    const versions = [1, 2, 3, 4].map((version) => aNote({ version, text: `text ${version}` }));
    fc.assert(
      fc.property(fc.shuffledSubarray(versions, { minLength: 4 }), (order) => {
        expect(order.reduce(mergeNote, [] as readonly ReturnType<typeof aNote>[])).toEqual([versions[3]]);
      }),
    );
  });
});

describe('mergeList', () => {
  it('removes notes that are missing in the list and keeps newer versions', () => {
    const known = [aNote({ id: 'gone' }), aNote({ version: 3, text: 'newer' })];
    const read = [aNote({ version: 2 }), aNote({ id: 'other', createdAt: 200 })];
    expect(mergeList(known, read)).toEqual([
      aNote({ id: 'other', createdAt: 200 }),
      aNote({ version: 3, text: 'newer' }),
    ]);
  });
});

describe('withoutNote', () => {
  it('removes a note and returns the same list if it is missing', () => {
    const notes = [aNote()];
    expect(withoutNote(notes, 'n')).toEqual([]);
    expect(withoutNote(notes, 'x')).toBe(notes);
  });
});
