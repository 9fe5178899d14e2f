/** Formats lists. */

/**
 * Joins names to a phrase.
 * @example formatList(['Ada', 'Bob', 'Carol'], 'de') // 'Ada, Bob und Carol'
 */
export function formatList(names: readonly string[], language: string): string {
  return new Intl.ListFormat(language).format(names);
}
