import { describe, expect, it } from 'vitest';
import { formatPercent } from './percent.ts';

describe('formatPercent', () => {
  it.each([
    [0, 'en', '0%'],
    [0.25, 'en', '25%'],
    [1, 'de', '100\u00a0%'],
  ])('formats %d in %s as %s', (share, language, text) => {
    expect(formatPercent(share, language)).toBe(text);
  });
});
