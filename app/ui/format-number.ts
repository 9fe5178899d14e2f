/** Writes numbers down for people. */
import type { Language } from '../lib/language.ts';

const formats = new Map<Language, Intl.NumberFormat>();

/**
 * A number as readers of a language write it.
 * @example formatNumber(1234, 'de') // '1.234'
 */
export function formatNumber(number: number, language: Language): string {
  // Making a format takes far longer than using it.
  const format = formats.get(language) ?? new Intl.NumberFormat(language);
  formats.set(language, format);
  return format.format(number);
}
