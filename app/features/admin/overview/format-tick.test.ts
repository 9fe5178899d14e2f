import { describe, expect, it } from 'vitest';
import { formatTicks } from './format-tick.ts';

const START = Date.UTC(2026, 2, 4) / 1000;

describe('formatTicks', () => {
  it.each([
    ['seconds', 30, ['00:00:00', '00:00:30']],
    ['minutes', 600, ['00:00', '00:10']],
    ['hours', 4 * 3600, ['00:00', '04:00']],
    ['half days', 12 * 3600, ['Mar 4', '12:00']],
    ['days', 24 * 3600, ['Mar 4', 'Mar 5']],
  ])('shows times that are %s apart with 24 hours, and days by their date', (_, step, labels) => {
    expect(formatTicks([START, START + step], 'en', 'UTC')).toEqual(labels);
  });

  it('uses the language of the page', () => {
    expect(formatTicks([START, START + 86_400], 'de', 'UTC')).toEqual(['4. März', '5. März']);
  });
});
