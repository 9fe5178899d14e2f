/** Formats the values of charts. */
import { formatNumber } from '../../../lib/format/number.ts';
import { formatPercent } from '../../../lib/format/percent.ts';
import { formatSize } from '../../../lib/format/size.ts';
import type { Language } from '../../../lib/language.ts';
import type { Unit } from './charts.ts';

/** Returns a value with its unit. */
export function formatValue(value: number, unit: Unit, language: Language): string {
  switch (unit) {
    case 'perSecond':
      return `${formatNumber(rounded(value), language)}/s`;
    case 'ms':
      return `${formatNumber(rounded(value), language)} ms`;
    case 'share':
      return formatPercent(value, language);
    case 'bytes':
      return formatSize(value, language);
    case 'count':
      return formatNumber(rounded(value), language);
  }
}

/** Three significant digits, or whole numbers above. */
function rounded(value: number): number {
  return value >= 100 ? Math.round(value) : Number(value.toPrecision(3));
}
