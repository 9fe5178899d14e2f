/** Formats durations of statements. */
import { cachedFormat } from '../../../lib/format/cached-format.ts';

const formatOf = cachedFormat(
  (language: string, digits: number) => new Intl.NumberFormat(language, { maximumFractionDigits: digits }),
);

/** Returns milliseconds as text: with decimals only for small values. */
export function formatMs(ms: number, language: string): string {
  const digits = ms < 1 ? 3 : ms < 100 ? 1 : 0;
  return formatOf(language, digits).format(ms);
}
