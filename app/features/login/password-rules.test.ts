import { describe, expect, it } from 'vitest';
import { addRules, isRuleMet, type KnownRule, type KnownRules, type PasswordRule } from './password-rules.ts';

const LONG: PasswordRule = { text: 'Long.', least: 6 };
const DIGIT: PasswordRule = { text: 'A digit.', oneOf: '0123456789' };
const LONGER: PasswordRule = { text: 'Longer.', improvement: 'length' };
const KINDS: PasswordRule = { text: 'More kinds.', improvement: 'kinds' };
const OTHER: PasswordRule = { text: 'Another one.', improvement: 'text' };

const known = (rule: PasswordRule, ...refused: string[]): KnownRule => ({ ...rule, refused });

describe('isRuleMet', () => {
  it.each<[string, KnownRule, string, boolean | undefined]>([
    ['nothing typed', known(LONG), '', undefined],
    ['one character too few', known(LONG), '12345', false],
    ['just enough characters', known(LONG), '123456', true],
    ['characters of several units and bytes count once', known(LONG), '🐴🐴🐴', false],
    ['enough of them', known(LONG), '🐴🐴🐴äöü', true],
    ['no character of a set', known(DIGIT), 'horse', false],
    ['one character of a set', known(DIGIT), 'h0rse', true],
    ['a set with a character of two units', known({ text: '', oneOf: '🐴🐵' }), 'a 🐵', true],
    ['half of a character of a set', known({ text: '', oneOf: '🐴' }), '🐵', false],
    ['as long as the refused one', known(LONGER, 'horse'), 'HORSE', false],
    ['longer than the refused one', known(LONGER, 'horse'), 'horses', true],
    ['longer than one of two', known(LONGER, 'horse', 'longer horse'), 'horses', false],
    ['the same kinds', known(KINDS, 'horse'), 'another', false],
    ['a kind less', known(KINDS, 'horse1'), 'horse', false],
    ['a capital letter more', known(KINDS, 'horse'), 'Horse', true],
    ['small letters instead of capitals', known(KINDS, 'HORSE'), 'horse', true],
    ['a digit more', known(KINDS, 'horse'), 'horse1', true],
    ['a sign more', known(KINDS, 'horse1'), 'horse 1', true],
    ['letters of other alphabets are letters', known(KINDS, 'horse'), 'hörßeя', false],
    ['a kind that only one of two lacked', known(KINDS, 'horse', 'horse1'), 'horses2', false],
    ['the refused one', known(OTHER, 'horse'), 'horse', false],
    ['one of those that were refused', known(OTHER, 'horse', 'mule'), 'horse', false],
    ['another one', known(OTHER, 'horse'), 'horses', true],
    ['nothing typed any more', known(OTHER, 'horse'), '', undefined],
    ['nobody knows which was refused', known(OTHER), 'horse', undefined],
    ['nobody knows how long it was', known(LONGER), 'horse', undefined],
    ['nobody knows of which kinds it was', known(KINDS), 'horse', undefined],
  ])('%s', (_name, rule, password, met) => {
    expect(isRuleMet(rule, password)).toBe(met);
  });
});

describe('addRules', () => {
  const first: KnownRules = new Map([['', known(LONG)]]);
  const list = (rules: KnownRules) => [...rules.values()];

  it.each<[string, PasswordRule[] | undefined, string | undefined, KnownRule[]]>([
    ['nothing', undefined, 'horse', [known(LONG)]],
    ['no rule', [], 'horse', [known(LONG)]],
    ['others', [DIGIT, OTHER], 'horse', [known(LONG), known(DIGIT, 'horse'), known(OTHER, 'horse')]],
    ['rules about a password that nobody knows', [OTHER], undefined, [known(LONG), known(OTHER)]],
    [
      'another least length, which takes the place of the first',
      [{ text: 'Longer.', least: 8 }, DIGIT],
      'horse',
      [known({ text: 'Longer.', least: 8 }, 'horse'), known(DIGIT, 'horse')],
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
