import { expect, it } from 'vitest';
import { printable } from './printable.ts';

it.each([
  ['plain text, Größe, 日本 "a\\b"', 'plain text, Größe, 日本 "a\\b"'],
  ['\u001b]0;title\u0007', '\\u001b]0;title\\u0007'],
  ['a\nb\r\tc\u0000', 'a\\u000ab\\u000d\\u0009c\\u0000'],
  ['\u007f\u009b31m', '\\u007f\\u009b31m'],
  ['a\u2028b\u2029', 'a\\u2028b\\u2029'],
])('shows the control characters of %j', (text, expected) => {
  expect(printable(text)).toBe(expected);
});

it('keeps the characters that the caller names', () => {
  expect(printable('a\n\tb\u001b', '\n\t')).toBe('a\n\tb\\u001b');
});
