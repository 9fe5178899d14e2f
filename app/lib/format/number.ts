/** Formats numbers. */
import type { Language } from '../language.ts';

const formats = new Map<Language, Intl.NumberFormat>();

/**
 * Formats a number in a language.
 * @example formatNumber(1234, 'de') // '1.234'
 */
export function formatNumber(number: number, language: Language): string {
  // Creating a format takes much longer than using it.
  const format = formats.get(language) ?? new Intl.NumberFormat(language);
  formats.set(language, format);
  return format.format(number);
}
