import { describe, expect, it } from 'vitest';
import { excerptOf, offsetOfPosition, placeOf } from './excerpt.ts';

describe('placeOf', () => {
  it.each([
    ['the beginning', 'ab', 0, { line: 1, column: 1 }],
    ['a later line', 'ab\ncd', 4, { line: 2, column: 2 }],
    ['a line break', 'ab\ncd', 2, { line: 1, column: 3 }],
    ['the end', 'ab\n', 3, { line: 2, column: 1 }],
  ])('finds %s', (_, text, offset, place) => {
    expect(placeOf(text, offset)).toEqual(place);
  });
});

describe('offsetOfPosition', () => {
  it.each([
    ['the first character', 'abc', 1, 0],
    ['a later character', 'abc', 3, 2],
    ['a character after one of two units', 'a😀b', 3, 3],
    ['the end', 'abc', 4, 3],
    ['a position after the end', 'abc', 9, 3],
  ])('converts the position of %s', (_, text, position, offset) => {
    expect(offsetOfPosition(text, position)).toBe(offset);
  });
});

describe('excerptOf', () => {
  it('shows three lines before the place and one after it', () => {
    const text = ['one', 'two', 'three', 'four', 'five', 'six', 'seven'].join('\n');
    expect(excerptOf(text, text.indexOf('ive'))).toEqual([
      '2 | two',
      '3 | three',
      '4 | four',
      '5 | five',
      '  |  ^',
      '6 | six',
    ]);
  });

  it('shows no lines outside of the range', () => {
    expect(excerptOf('one\ntwo\nthree', 4, { range: { start: 4, end: 7 } })).toEqual(['2 | two', '  | ^']);
  });

  it('numbers the lines of a part of a file', () => {
    expect(excerptOf('one\ntwo', 4, { firstLine: 9 })).toEqual([' 9 | one', '10 | two', '   | ^']);
  });

  it('keeps tabs in front of the caret and removes carriage returns', () => {
    expect(excerptOf('\ta b\r\n', 3)).toEqual(['1 | \ta b', '  | \t  ^', '2 |']);
  });

  it('cuts a long line around the place', () => {
    const text = `${'a'.repeat(500)}X${'b'.repeat(500)}`;
    const [line = '', caret = ''] = excerptOf(text, 500);
    expect(line).toMatch(/^1 \| …a+Xb+…$/);
    expect(line.length).toBeLessThan(120);
    expect(line[caret.indexOf('^')]).toBe('X');
  });
});
