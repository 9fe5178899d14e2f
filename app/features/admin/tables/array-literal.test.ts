import { describe, expect, it } from 'vitest';
import { arrayLiteral, splitList } from './array-literal.ts';

it('arrayLiteral quotes each value, and distinguishes null from the text NULL', () => {
  expect(arrayLiteral(['a', '', 'b "c" \\', null, 'NULL', '{,}'])).toBe(
    '{"a","","b \\"c\\" \\\\",NULL,"NULL","{,}"}',
  );
});

describe('splitList', () => {
  it.each([
    ['1, 2,3', ['1', '2', '3']],
    ['', ['']],
    ['"a, b", c', ['a, b', 'c']],
    ['"say ""hi"""', ['say "hi"']],
    ['a"b, c', ['a"b', 'c']],
    ['"open, b', ['"open', 'b']],
  ])('splits %j', (text, values) => {
    expect(splitList(text)).toEqual(values);
  });
});
