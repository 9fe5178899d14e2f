/** Chooses texts by a count. */
import type { Language } from '../language.ts';
import { formatNumber } from './number.ts';

/** The texts of English and German: one thing, and any other count, which is inserted as a formatted number. */
interface PluralForms {
  one: string;
  other: (count: string) => string;
}

const rules = new Map<Language, Intl.PluralRules>();

/**
 * Returns a text that depends on a count, by the plural rules of a language.
 * @example plural('en', { one: '1 file', other: (count) => `${count} files` })(1200) // '1,200 files'
 */
export function plural(language: Language, { one, other }: PluralForms): (count: number) => string {
  return (count) => (rulesOf(language).select(count) === 'one' ? one : other(formatNumber(count, language)));
}

function rulesOf(language: Language): Intl.PluralRules {
  const known = rules.get(language) ?? new Intl.PluralRules(language);
  rules.set(language, known);
  return known;
}
