import { describe, expect, it } from 'vitest';
import { weaknessOf } from './strength.ts';

const plain = { minLength: 6, requiredCharacters: [], isLeaked: false };
const strict = { minLength: 8, requiredCharacters: ['abc', '0123', ':'], isLeaked: false };

describe('weaknessOf', () => {
  it.each([
    ['long enough', '123456', plain],
    ['three characters of two bytes, because lengths count bytes', 'äöü', plain],
    ['one of each set', 'zzzzza0:', strict],
  ])('accepts a password that is %s', (_, password, rules) => {
    expect(weaknessOf(password, rules)).toBeUndefined();
  });

  it.each([
    ['too short', '12345', plain, ['length'], 'Password should be at least 6 characters.'],
    [
      'without a character of each set',
      'abcabcabc',
      strict,
      ['characters'],
      'Password should contain at least one character of each: abc, 0123, :.',
    ],
    [
      'too short and without a character of each set',
      'x',
      strict,
      ['length', 'characters'],
      'Password should be at least 8 characters. Password should contain at least one character of each: abc, 0123, :.',
    ],
    [
      'leaked',
      '123456',
      { ...plain, isLeaked: true },
      ['pwned'],
      'Password is known to be weak and easy to guess, please choose a different one.',
    ],
    [
      'weak for every reason',
      'x',
      { ...strict, isLeaked: true },
      ['length', 'characters', 'pwned'],
      'Password should be at least 8 characters. Password should contain at least one character of each: abc, 0123, :. Password is known to be weak and easy to guess, please choose a different one.',
    ],
  ])('reports the weakness of a password that is %s', (_, password, rules, reasons, message) => {
    expect(weaknessOf(password, rules)).toEqual({ reasons, message });
  });
});
