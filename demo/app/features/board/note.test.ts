import { describe, expect, it } from 'vitest';
import { checkText, parseColor, parseNote } from './note.ts';

const ROW = {
  id: 'n',
  owner_id: 'ada',
  owner_name: 'Ada',
  text: 'Hello',
  color: 'blue',
  is_shared: false,
  version: 3,
  created_at: '2026-01-02T03:04:05.678+00:00',
};

describe('parseNote', () => {
  it('parses a row', () => {
    expect(parseNote(ROW)).toEqual({
      id: 'n',
      ownerId: 'ada',
      ownerName: 'Ada',
      text: 'Hello',
      color: 'blue',
      isShared: false,
      version: 3,
      createdAt: 1767323045.678,
    });
  });

  it.each([
    ['an unknown colour', { color: 'red' }, { color: 'yellow' }],
    ['a missing name', { owner_name: null }, { ownerName: '' }],
    ['a missing sharing flag', { is_shared: undefined }, { isShared: false }],
  ])('uses defaults for %s', (_name, more, expected) => {
    expect(parseNote({ ...ROW, ...more })).toMatchObject(expected);
  });

  it.each([{ id: 1 }, { owner_id: null }, { text: null }, { version: '3' }, { created_at: 'once' }])(
    'returns undefined for %j',
    (more) => {
      expect(parseNote({ ...ROW, ...more })).toBeUndefined();
    },
  );
});

describe('checkText', () => {
  it.each([
    [' Hello\r\nthere\r', { text: 'Hello\nthere' }],
    [' \n\t ', { text: '', problem: 'empty' }],
    ['a\0b', { text: 'ab' }],
    ['😀'.repeat(2000), { text: '😀'.repeat(2000) }],
    ['ä'.repeat(2001), { text: 'ä'.repeat(2001), problem: 'tooLong' }],
  ])('checks %j', (typed, expected) => {
    expect(checkText(typed)).toEqual(expected);
  });
});

describe('parseColor', () => {
  it.each([
    ['pink', 'pink'],
    ['red', undefined],
    ['constructor', undefined],
    [null, undefined],
  ])('parses %j as %j', (value, expected) => {
    expect(parseColor(value)).toBe(expected);
  });
});
