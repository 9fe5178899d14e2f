import { AuthApiError, AuthWeakPasswordError } from '@supabase/supabase-js';
import { describe, expect, it } from 'vitest';
import type { PasswordRule } from './password-rules.ts';
import { weaknessOf } from './weak-password.ts';

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const DIGITS = '0123456789';
/** The characters that hosted projects require. */
const SIGNS = `!@#$%^&*()_+-=[]{};':"|<>?,./\`~`;

const SHORT = 'Password should be at least 10 characters.';
const LEAKED = 'Password is known to be weak and easy to guess, please choose a different one.';
const characterSets = (...sets: string[]) =>
  `Password should contain at least one character of each: ${sets.join(', ')}.`;

const longEnough: PasswordRule = { text: 'At least 10 characters.', minLength: 10 };
const lower: PasswordRule = { text: 'A lowercase letter (a–z).', oneOf: LOWER };
const upper: PasswordRule = { text: 'An uppercase letter (A–Z).', oneOf: UPPER };
const digit: PasswordRule = { text: 'A digit (0–9).', oneOf: DIGITS };
const sign: PasswordRule = { text: `One of these characters: ${[...SIGNS].join(' ')}`, oneOf: SIGNS };
const otherKinds: PasswordRule = {
  text: 'More kinds of characters: lowercase letters, uppercase letters, digits or symbols.',
  improvement: 'kinds',
};
const notLeaked: PasswordRule = {
  text: 'Different from the rejected password, which appeared in a data leak.',
  improvement: 'text',
};

/** The cast allows reasons of a newer server than the client knows. */
const refusal = (reasons: string[], ...messages: string[]) =>
  new AuthWeakPasswordError(messages.join(' '), 422, reasons as AuthWeakPasswordError['reasons']);

describe('weaknessOf', () => {
  it.each<[string, AuthWeakPasswordError, PasswordRule[]]>([
    ['a short password', refusal(['length'], SHORT), [longEnough]],
    ['a leaked password', refusal(['pwned'], LEAKED), [notLeaked]],
    [
      'missing letters and digits',
      refusal(['characters'], characterSets(LOWER, UPPER, DIGITS)),
      [lower, upper, digit],
    ],
    [
      'missing letters, digits and signs',
      refusal(['characters'], characterSets(LOWER, UPPER, DIGITS, SIGNS)),
      [lower, upper, digit, sign],
    ],
    [
      'a missing letter of either case',
      refusal(['characters'], characterSets(LOWER + UPPER, DIGITS)),
      [{ text: 'A letter (a–z or A–Z).', oneOf: LOWER + UPPER }, digit],
    ],
    [
      'all reasons in a fixed order',
      refusal(['pwned', 'characters', 'length'], SHORT, characterSets(LOWER, SIGNS), LEAKED),
      [longEnough, lower, sign, notLeaked],
    ],
    [
      'a missing space',
      refusal(['characters', 'pwned'], characterSets(LOWER, ' '), LEAKED),
      [lower, { text: 'A space.', oneOf: ' ' }, notLeaked],
    ],
    [
      'a missing character of a set with a space',
      refusal(['characters'], characterSets('. ,-')),
      [{ text: 'A space, or one of these characters: . , -', oneOf: '. ,-' }],
    ],
    [
      'a missing letter of a set',
      refusal(['characters'], characterSets('abc')),
      [{ text: 'One of these characters: a b c', oneOf: 'abc' }],
    ],
    [
      'a short password with an unknown message',
      refusal(['length'], 'Too short!'),
      [{ text: 'Longer than the rejected password.', improvement: 'length' }],
    ],
    ['too few kinds with an unknown message', refusal(['characters'], 'Use more.'), [otherKinds]],
    ['an empty set', refusal(['characters'], characterSets()), [otherKinds]],
    ['too many sets', refusal(['characters'], characterSets(...'abcdefghi')), [otherKinds]],
    ['a known and an unknown reason', refusal(['new', 'pwned'], LEAKED), [notLeaked]],
  ])('returns rules for %s', (_name, error, rules) => {
    expect(weaknessOf(error, 'en')).toEqual({ rules });
  });

  it.each([
    ['an error without reasons', refusal([], SHORT)],
    ['unknown reasons', refusal(['constructor', 'new'], SHORT)],
    ['an error without the field', new AuthApiError(SHORT, 422, 'weak_password')],
    ['another error', { name: 'AuthApiError', message: SHORT, code: 'same_password', reasons: ['length'] }],
  ])('returns no rules for %s', (_name, error) => {
    expect(weaknessOf(error, 'en')).toEqual({});
  });

  it('translates to German', () => {
    const error = refusal(
      ['length', 'characters', 'pwned'],
      SHORT,
      characterSets(LOWER, UPPER, LOWER + UPPER, DIGITS, ' ', '! ', '!'),
      LEAKED,
    );
    expect(weaknessOf(error, 'de').rules?.map(({ text }) => text)).toEqual([
      'Mindestens 10 Zeichen.',
      'Ein Kleinbuchstabe (a–z).',
      'Ein Großbuchstabe (A–Z).',
      'Ein Buchstabe (a–z oder A–Z).',
      'Eine Ziffer (0–9).',
      'Ein Leerzeichen.',
      'Ein Leerzeichen oder eines dieser Zeichen: !',
      'Eines dieser Zeichen: !',
      'Anders als das abgelehnte Passwort, das in einem Datenleck enthalten ist.',
    ]);
    const vague = weaknessOf(refusal(['length', 'characters'], 'No.'), 'de');
    expect(vague.rules?.map(({ text }) => text)).toEqual([
      'Länger als das abgelehnte Passwort.',
      'Mehr Zeichenarten: Kleinbuchstaben, Großbuchstaben, Ziffern oder Sonderzeichen.',
    ]);
  });
});
