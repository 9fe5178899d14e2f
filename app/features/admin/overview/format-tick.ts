/** Formats the times below a chart. */
import type { Language } from '../../../lib/language.ts';

const MINUTE = 60;
const HALF_DAY = 43_200;

/** @param seconds since 1970, one for each label */
export function formatTicks(seconds: readonly number[], language: Language, timeZone?: string): string[] {
  const step = (seconds[1] ?? 0) - (seconds[0] ?? 0);
  const zone = timeZone === undefined ? {} : { timeZone };
  const day = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', ...zone });
  const clock = new Intl.DateTimeFormat(language, {
    hour: '2-digit',
    minute: '2-digit',
    ...(step < MINUTE && { second: '2-digit' }),
    hourCycle: 'h23',
    ...zone,
  });
  return seconds.map((time) => {
    const date = new Date(time * 1000);
    const text = clock.format(date);
    return step >= HALF_DAY && text === '00:00' ? day.format(date) : text;
  });
}
