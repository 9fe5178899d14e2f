import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchesAny, matchesPattern } from './patterns.ts';

describe('matchesPattern', () => {
  it.each([
    ['/', '/', true],
    ['/', '/a', false],
    ['/a*', '/a', true],
    ['/a*', '/abc/d', true],
    ['/a*', '/b', false],
    ['/a/*', '/a', false],
    ['/a/*', '/a/', true],
    ['/a/*', '/a/b/c', true],
    ['*', '/', true],
    ['*', '/any/thing', true],
    ['*', '', true],
    ['/a*c', '/abc', true],
    ['/a*c', '/ac', true],
    ['/a*c', '/abd', false],
    ['/a*a', '/a', false],
    ['/*/edit', '/posts/1/edit', true],
    ['/*/edit', '/edit', false],
    ['/a*b*c', '/axbxc', true],
    ['/a*b*c', '/axcxb', false],
    ['/a**b', '/ab', true],
    ['/file.txt', '/file.txt', true],
    ['/file.txt', '/fileXtxt', false],
    ['/a+', '/aa', false],
    ['/(a|b)', '/a', false],
    ['/(a|b)', '/(a|b)', true],
    ['/login', '/login', true],
    ['/login', '/login/', false],
    ['/login', '/login/help', false],
    ['/login', '/Login', false],
    ['/login*', '/login/help', true],
    ['', '/', false],
    ['', '', false],
    [undefined, '/', false],
  ])('matches %j against %j: %s', (pattern, path, covered) => {
    expect(matchesPattern(pattern, path)).toBe(covered);
  });

  it('agrees with a regular expression in which only * is special', () => {
    const text = fc.string({ unit: fc.constantFrom('/', 'a', 'b', '.', '*'), maxLength: 12 });
    fc.assert(
      fc.property(text, text, (pattern, path) => {
        const expression = new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '.*')}$`, 's');
        expect(matchesPattern(pattern, path)).toBe(pattern !== '' && expression.test(path));
      }),
    );
  });
});

describe('matchesAny', () => {
  it.each([
    [['/x', '/y*'], '/yes', true],
    [['/x', undefined], '/yes', false],
    [[], '/', false],
  ])('matches %j against %j: %s', (patterns, path, covered) => {
    expect(matchesAny(patterns, path)).toBe(covered);
  });
});
