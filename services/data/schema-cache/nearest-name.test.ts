import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CLOSE_SIMILARITY, nearestName } from './nearest-name.ts';

const NAMES = ['directors', 'roles', 'actors'];

describe('nearestName', () => {
  it.each([
    ['role', 'roles'],
    ['actor', 'actors'],
    ['ACTORS', 'actors'],
    ['diretcors', 'directors'],
    ['zzz', undefined],
    ['', undefined],
  ])('returns for "%s" the name %s', (name, expected) => {
    expect(nearestName(name, NAMES)).toBe(expected);
  });

  it('respects the given similarity', () => {
    expect(nearestName('rotes', NAMES, CLOSE_SIMILARITY)).toBe('roles');
    expect(nearestName('rates', NAMES, CLOSE_SIMILARITY)).toBeUndefined();
  });

  it('returns the first of equally similar names', () => {
    expect(nearestName('ab', ['ac', 'ad'])).toBe('ac');
  });

  it('returns undefined for long or many names', () => {
    expect(nearestName('x'.repeat(64), ['x'.repeat(63)])).toBeUndefined();
    expect(nearestName('x', Array(501).fill('x'))).toBeUndefined();
  });

  it('returns an equal name', () => {
    const names = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 63 }), {
      minLength: 1,
      selector: (name) => name.toLowerCase(),
    });
    fc.assert(
      fc.property(names, (all) => {
        for (const name of all) expect(nearestName(name, all)).toBe(name);
      }),
    );
  });
});
