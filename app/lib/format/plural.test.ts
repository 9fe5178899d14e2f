import { describe, expect, it } from 'vitest';
import { plural } from './plural.ts';

describe('plural', () => {
  it.each([
    ['en', 0, '0 files'],
    ['en', 1, '1 file'],
    ['en', 1200, '1,200 files'],
    ['de', 0, '0 files'],
    ['de', 1, '1 file'],
    ['de', 1200, '1.200 files'],
  ] as const)('formats in %s the count %d as %s', (language, count, text) => {
    expect(plural(language, { one: '1 file', other: (number) => `${number} files` })(count)).toBe(text);
  });
});
