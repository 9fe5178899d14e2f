/** Formats percentages. */

/**
 * Formats a share of 1 in whole percent.
 * @example formatPercent(0.5, 'en') // '50%'
 */
export function formatPercent(share: number, language: string): string {
  return new Intl.NumberFormat(language, { style: 'percent' }).format(share);
}
