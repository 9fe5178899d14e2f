import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CLOSE_SIMILARITY, nearestName } from './nearest-name.ts';

const NAMES = ['directors', 'roles', 'actors'];

describe('the nearest name', () => {
  it.each([
    ['role', 'roles'],
    ['actor', 'actors'],
    ['ACTORS', 'actors'],
    ['diretcors', 'directors'],
    ['zzz', undefined],
    ['', undefined],
  ])('to "%s" is %s', (name, expected) => {
    expect(nearestName(name, NAMES)).toBe(expected);
  });

  it('is as near as was asked for', () => {
    expect(nearestName('rotes', NAMES, CLOSE_SIMILARITY)).toBe('roles');
    expect(nearestName('rates', NAMES, CLOSE_SIMILARITY)).toBeUndefined();
  });

  it('is the first of equals', () => {
    expect(nearestName('ab', ['ac', 'ad'])).toBe('ac');
  });

  it('is none where looking for it would take long', () => {
    expect(nearestName('x'.repeat(64), ['x'.repeat(63)])).toBeUndefined();
    expect(nearestName('x', Array(501).fill('x'))).toBeUndefined();
  });

  it('is the name itself where it is there', () => {
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
