import { describe, expect, it } from 'vitest';
import { addRules, isRuleMet, type KnownRule, type KnownRules, type PasswordRule } from './password-rules.ts';

const LONG: PasswordRule = { text: 'Long.', minLength: 6 };
const DIGIT: PasswordRule = { text: 'A digit.', oneOf: '0123456789' };
const LONGER: PasswordRule = { text: 'Longer.', improvement: 'length' };
const KINDS: PasswordRule = { text: 'More kinds.', improvement: 'kinds' };
const OTHER: PasswordRule = { text: 'Another one.', improvement: 'text' };

const known = (rule: PasswordRule, ...refused: string[]): KnownRule => ({ ...rule, refused });

describe('isRuleMet', () => {
  it.each<[string, KnownRule, string, boolean | undefined]>([
    ['an empty password', known(LONG), '', undefined],
    ['one character too few', known(LONG), '12345', false],
    ['exactly enough characters', known(LONG), '123456', true],
    ['too few characters of several bytes', known(LONG), '🐴🐴🐴', false],
    ['enough characters of several bytes', known(LONG), '🐴🐴🐴äöü', true],
    ['no character of the set', known(DIGIT), 'horse', false],
    ['one character of the set', known(DIGIT), 'h0rse', true],
    ['a character of two units in the set', known({ text: '', oneOf: '🐴🐵' }), 'a 🐵', true],
    ['half of a character of the set', known({ text: '', oneOf: '🐴' }), '🐵', false],
    ['a password as long as the rejected one', known(LONGER, 'horse'), 'HORSE', false],
    ['a password longer than the rejected one', known(LONGER, 'horse'), 'horses', true],
    [
      'a password longer than one of two rejected ones',
      known(LONGER, 'horse', 'longer horse'),
      'horses',
      false,
    ],
    ['the same kinds of characters', known(KINDS, 'horse'), 'another', false],
    ['fewer kinds of characters', known(KINDS, 'horse1'), 'horse', false],
    ['an additional capital letter', known(KINDS, 'horse'), 'Horse', true],
    ['small letters instead of capitals', known(KINDS, 'HORSE'), 'horse', true],
    ['an additional digit', known(KINDS, 'horse'), 'horse1', true],
    ['an additional sign', known(KINDS, 'horse1'), 'horse 1', true],
    ['letters of other alphabets', known(KINDS, 'horse'), 'hörßeя', false],
    ['a kind that one of two rejected passwords had', known(KINDS, 'horse', 'horse1'), 'horses2', false],
    ['the rejected password', known(OTHER, 'horse'), 'horse', false],
    ['one of two rejected passwords', known(OTHER, 'horse', 'mule'), 'horse', false],
    ['another password', known(OTHER, 'horse'), 'horses', true],
    ['an empty password after a rejection', known(OTHER, 'horse'), '', undefined],
    ['an unknown rejected password', known(OTHER), 'horse', undefined],
    ['an unknown length of the rejected password', known(LONGER), 'horse', undefined],
    ['unknown kinds of the rejected password', known(KINDS), 'horse', undefined],
  ])('returns $3 for %s', (_name, rule, password, met) => {
    expect(isRuleMet(rule, password)).toBe(met);
  });
});

describe('addRules', () => {
  const first: KnownRules = new Map([['', known(LONG)]]);
  const list = (rules: KnownRules) => [...rules.values()];

  it.each<[string, PasswordRule[] | undefined, string | undefined, KnownRule[]]>([
    ['nothing without reported rules', undefined, 'horse', [known(LONG)]],
    ['nothing for an empty list', [], 'horse', [known(LONG)]],
    ['other rules', [DIGIT, OTHER], 'horse', [known(LONG), known(DIGIT, 'horse'), known(OTHER, 'horse')]],
    ['rules for an unknown password', [OTHER], undefined, [known(LONG), known(OTHER)]],
    [
      'another minimum length in place of the first',
      [{ text: 'Longer.', minLength: 8 }, DIGIT],
      'horse',
      [known({ text: 'Longer.', minLength: 8 }, 'horse'), known(DIGIT, 'horse')],
    ],
  ])('adds %s', (_name, reported, refused, rules) => {
    expect(list(addRules(first, reported, refused))).toEqual(rules);
  });

  it('keeps known rules and their order', () => {
    const once = addRules(first, [DIGIT, OTHER], 'horse');
    const twice = addRules(once, [OTHER], 'mule');
    expect(list(twice)).toEqual([known(LONG), known(DIGIT, 'horse'), known(OTHER, 'horse', 'mule')]);
    expect(list(once)).toHaveLength(3);
    expect(list(first)).toEqual([known(LONG)]);
  });
});
