import { describe, expect, it } from 'vitest';
import { requireStrongPassword, weaknessOf } from './strength.ts';

const plain = { minLength: 6, requiredCharacters: [] };
const strict = { minLength: 8, requiredCharacters: ['abc', '0123', ':'] };

describe('weaknessOf', () => {
  it.each([
    ['long enough', '123456', plain],
    ['three characters of two bytes each: lengths count bytes', 'äöü', plain],
    ['one of each set', 'zzzzza0:', strict],
  ])('finds nothing wrong with one that is %s', (_, password, rules) => {
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
      'both',
      'x',
      strict,
      ['length', 'characters'],
      'Password should be at least 8 characters. Password should contain at least one character of each: abc, 0123, :.',
    ],
  ])('names what is wrong with one that is %s', (_, password, rules, reasons, message) => {
    expect(weaknessOf(password, rules)).toEqual({ reasons, message });
  });
});

describe('requireStrongPassword', () => {
  it('tells the reasons', () => {
    expect(() => requireStrongPassword('x', plain)).toThrow(
      expect.objectContaining({
        code: 'weak_password',
        status: 422,
        extra: { weak_password: { reasons: ['length'] } },
      }),
    );
  });

  it('accepts 72 bytes', () => {
    expect(() => requireStrongPassword('ä'.repeat(36), plain)).not.toThrow();
  });

  it.each([['a'.repeat(73)], ['ä'.repeat(37)]])(
    'refuses more, since bcrypt would not read it: %s',
    (password) => {
      const message = 'Password cannot be longer than 72 characters';
      expect(() => requireStrongPassword(password, plain)).toThrow(
        expect.objectContaining({ code: 'validation_failed', status: 400, message }),
      );
    },
  );
});
