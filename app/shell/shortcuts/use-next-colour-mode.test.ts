import { describe, expect, it } from 'vitest';
import { nextPreference } from './use-next-colour-mode.ts';

describe('nextPreference', () => {
  it.each([
    ['system', 'light'],
    ['light', 'dark'],
    ['dark', 'system'],
  ] as const)('returns after %s: %s', (preference, next) => {
    expect(nextPreference(preference)).toBe(next);
  });
});
