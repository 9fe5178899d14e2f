import { describe, expect, it } from 'vitest';
import { withBase, withoutBase } from './base-path.ts';

describe('withBase', () => {
  it.each([
    ['/login', '/', '/login'],
    ['/', '/', '/'],
    ['/login?a=1', '/app/', '/app/login?a=1'],
    ['/', '/app/', '/app/'],
    ['/', '/a/b/', '/a/b/'],
  ])('puts %s below %s: %s', (path, base, expected) => {
    expect(withBase(path, base)).toBe(expected);
    expect(withoutBase(expected, base)).toBe(path);
  });
});

describe('withoutBase', () => {
  it.each([
    ['/app', '/app/', '/'],
    ['/app?x=1', '/app/', '/?x=1'],
    ['/apple', '/app/', '/apple'],
    ['/other/login', '/app/', '/other/login'],
    ['//evil.example', '/', '//evil.example'],
    ['/app//evil.example', '/app/', '//evil.example'],
  ])('removes from %s the base %s: %s', (path, base, expected) => {
    expect(withoutBase(path, base)).toBe(expected);
  });
});
