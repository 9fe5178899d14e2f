import { describe, expect, it } from 'vitest';
import { formatNumber } from './number.ts';

describe('formatNumber', () => {
  it.each([
    [0, 'en', '0'],
    [999, 'de', '999'],
    [1234, 'en', '1,234'],
    [1234567, 'de', '1.234.567'],
    [0.5, 'de', '0,5'],
  ] as const)('formats %d in %s as %s', (number, language, text) => {
    expect(formatNumber(number, language)).toBe(text);
  });
});
