import { describe, expect, it } from 'vitest';
import { formatDuration } from './duration.ts';

describe('formatDuration', () => {
  it.each([
    [1, 'second', 'en', '1 second'],
    [2, 'minute', 'de', '2 Minuten'],
    [1, 'week', 'en', '1 week'],
    [30, 'day', 'de', '30 Tage'],
  ] as const)('formats %i %s in %s as %s', (count, unit, language, text) => {
    expect(formatDuration(count, unit, language)).toBe(text);
  });
});
