import { describe, expect, it } from 'vitest';
import { confirmationWord, isConfirmed } from './confirmation-word.ts';

describe('confirmationWord', () => {
  it.each([
    ['a@example.org', '447700900123', 'a@example.org'],
    ['', '447700900123', '+447700900123'],
    ['', '', 'DELETE'],
  ])('returns for email "%s" and phone "%s" the word %s', (email, phone, word) => {
    expect(confirmationWord({ email, phone }, 'DELETE')).toBe(word);
  });
});

describe('isConfirmed', () => {
  it.each([
    ['A@Example.org ', 'a@example.org', true],
    ['+44 7700 900123', '+447700900123', true],
    ['delete', 'DELETE', true],
    ['', 'DELETE', false],
    ['b@example.org', 'a@example.org', false],
  ])('accepts %s for %s: %s', (typed, word, expected) => {
    expect(isConfirmed(typed, word)).toBe(expected);
  });
});
