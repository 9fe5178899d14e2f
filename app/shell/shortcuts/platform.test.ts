import { describe, expect, it } from 'vitest';
import { isApplePlatform } from './platform.ts';

describe('isApplePlatform', () => {
  it.each([
    ['MacIntel', true],
    ['macOS', true],
    ['iPhone', true],
    ['iPad', true],
    ['Linux x86_64', false],
    ['Windows', false],
    ['Win32', false],
    ['Android', false],
    ['', false],
  ])('returns for %s: %s', (platform, expected) => {
    expect(isApplePlatform(platform)).toBe(expected);
  });
});
