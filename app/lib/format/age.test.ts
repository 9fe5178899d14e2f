import { describe, expect, it } from 'vitest';
import { formatAge } from './age.ts';

describe('formatAge', () => {
  it.each([
    [0, 'en', 'now'],
    [59, 'en', 'now'],
    [-30, 'en', 'now'],
    [60, 'en', '1 minute ago'],
    [3599, 'en', '59 minutes ago'],
    [7200, 'en', '2 hours ago'],
    [86_400, 'en', 'yesterday'],
    [86_400 * 6, 'en', '6 days ago'],
    [0, 'de', 'jetzt'],
    [300, 'de', 'vor 5 Minuten'],
    [86_400 * 3, 'de', 'vor 3 Tagen'],
  ])('formats %d s in %s as %s', (age, language, text) => {
    expect(formatAge(1_000_000 - age, 1_000_000, language)).toBe(text);
  });
});
